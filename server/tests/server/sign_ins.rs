//! Where somebody is signed in: seen and ended by themselves, and by nobody else.

use replygate_app::view::Role;
use replygate_ports::activity::ActivityQuery;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, COOKIE, USER_AGENT};

use crate::house::{House, QUICK, cookie, location};
use crate::roles::everybody;

const PASSWORD: &str = "correct horse battery";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

/// Signs the admin in with another browser.
async fn enter_by_firefox(house: &House) -> String {
    let answer = house
        .request(Method::POST, "/sign-in")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(USER_AGENT, FIREFOX)
        .body("name=admin&password=correct+horse+battery");
    cookie(&answer.send().await.unwrap())
}

async fn page(house: &House, cookie: &str) -> String {
    let request = house
        .request(Method::GET, "/settings/me")
        .header(COOKIE, cookie);
    let answer = request.header(ACCEPT, "text/html").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.text().await.unwrap()
}

/// The ids that this page can end.
fn ids(page: &str) -> Vec<String> {
    let values = page.split("name=\"id\" value=\"").skip(1);
    values
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

async fn ends(house: &House, cookie: &str, fields: &[(&str, &str)]) -> String {
    let answer = house.form("/settings/sign-ins", cookie, fields).await;
    location(&answer).to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_is_ended_elsewhere_is_refused_at_its_next_request() {
    let house = House::open(QUICK).await;
    let here = house.enter_first(PASSWORD).await;
    let there = enter_by_firefox(&house).await;
    let shown = page(&house, &here).await;
    assert!(
        shown.contains("Firefox") && shown.contains("This one"),
        "{shown}"
    );
    let others = ids(&shown);
    assert_eq!(others.len(), 1);
    // What stands on the page opens nothing.
    assert!(!there.contains(&others[0]));

    assert!(house.is_inside(&there).await);
    let fields = [("deed", "end"), ("id", others[0].as_str())];
    assert_eq!(ends(&house, &here, &fields).await, "/settings/me?ended=1");
    assert!(!house.is_inside(&there).await);
    assert!(house.is_inside(&here).await);
    assert!(ids(&page(&house, &here).await).is_empty());

    let query = ActivityQuery {
        verb: Some("end_sign_in".to_owned()),
        limit: 9,
        ..ActivityQuery::default()
    };
    let log = house
        .running
        .service()
        .stores
        .activity
        .entries(&query)
        .await;
    let log = log.unwrap();
    assert_eq!(log.len(), 1);
    assert_eq!(log[0].activity.object, "user:admin");
    assert_eq!(
        log[0].activity.before.as_deref(),
        Some("signed in with Firefox")
    );
    assert_eq!(log[0].activity.after.as_deref(), Some("ended"));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_others_end_at_once_and_this_one_goes_on() {
    let house = House::open(QUICK).await;
    let here = house.enter_first(PASSWORD).await;
    let (one, two) = (
        enter_by_firefox(&house).await,
        enter_by_firefox(&house).await,
    );
    let there = ends(&house, &here, &[("deed", "end_others")]).await;
    assert_eq!(there, "/settings/me?ended=2");
    assert!(!house.is_inside(&one).await && !house.is_inside(&two).await);
    assert!(house.is_inside(&here).await);
    let again = ends(&house, &here, &[("deed", "end_others")]).await;
    assert_eq!(again, "/settings/me?ended=0");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sees_or_ends_the_sign_in_of_another() {
    let house = House::open(QUICK).await;
    let everybody = everybody(&house).await;
    let owner = &everybody
        .iter()
        .find(|(role, _)| *role == Role::Owner)
        .unwrap()
        .1;
    let other = enter_by_firefox(&house).await;
    let theirs = ids(&page(&house, owner).await);
    assert_eq!(theirs.len(), 1);
    for (role, cookie) in everybody.iter().filter(|(role, _)| *role != Role::Owner) {
        assert!(ids(&page(&house, cookie).await).is_empty(), "{role:?}");
        let fields = [("deed", "end"), ("id", theirs[0].as_str())];
        let there = ends(&house, cookie, &fields).await;
        assert!(there.contains("no=gone"), "{role:?}: {there}");
        ends(&house, cookie, &[("deed", "end_others")]).await;
    }
    assert!(house.is_inside(&other).await);
    assert!(house.is_inside(owner).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_whose_password_was_changed_is_not_listed() {
    let house = House::open(QUICK).await;
    let here = house.enter_first(PASSWORD).await;
    enter_by_firefox(&house).await;
    let another = "another horse battery";
    let fields = [
        ("present", PASSWORD),
        ("password", another),
        ("repeat", another),
    ];
    house.form("/settings/password", &here, &fields).await;
    let fields = [("name", "admin"), ("password", another)];
    let now = cookie(&house.form("/sign-in", "", &fields).await);
    assert!(ids(&page(&house, &now).await).is_empty());
}
