// Makes the chat page live: sends without a reload, and shows answers as they come. The page works without it.
// A message keeps its id until the server has it, however often it is sent; a line keeps its key wherever it comes from.

const chat = document.getElementById("chat");
const words = chat.dataset;
const base = words.base;
const scroll = document.getElementById("scroll");
const list = document.getElementById("lines");
const start = document.getElementById("start");
const typing = document.getElementById("typing");
const state = document.getElementById("state");
const form = document.getElementById("composer");
const field = document.getElementById("text");

// Lines.

// The reader's own habits, not those of the page's language: "en" alone means the clock of the United States.
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

function localTime(element) {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.getTime())) return;
  element.textContent = clock.format(at);
  element.title = at.toLocaleString();
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function bubble(line) {
  const item = element("li", `line ${line.from} fresh`);
  item.dataset.key = line.key;
  item.dataset.at = line.at;
  if (line.from !== "notice") item.append(element("span", "unseen", words[line.from]));
  item.append(element("p", "text", line.text));
  const meta = element("p", "meta");
  const time = element("time");
  time.dateTime = new Date(line.at).toISOString();
  localTime(time);
  meta.append(time);
  item.append(meta);
  return item;
}

const find = (key) => [...list.children].find((item) => item.dataset.key === key);

function toEnd() {
  scroll.scrollTop = scroll.scrollHeight;
}

// Whoever reads the end goes on reading the end; whoever reads further up is left there.
function change(what) {
  const wasAtEnd = Math.abs(scroll.scrollTop) < 80;
  what();
  if (wasAtEnd) toEnd();
}

function add(line) {
  if (find(line.key)) return;
  change(() => {
    start.hidden = true;
    list.append(bubble(line));
  });
}

// Puts in what is missing, in the history's order, and leaves the rest untouched, so that nothing is read aloud twice.
function merge(lines) {
  let before = null;
  for (const line of lines) {
    let item = find(line.key);
    if (!item) {
      item = bubble(line);
      list.insertBefore(item, before ? before.nextSibling : list.firstChild);
      start.hidden = true;
    } else {
      const text = item.querySelector(".text");
      if (text.textContent !== line.text) text.textContent = line.text;
    }
    before = item;
  }
}

// What is sent. It survives a reload; the server knows a message that it gets twice by its id.

const drawer = `replygate.outbox:${base}`;
const waits = [500, 1000, 2000, 4000, 8000];
let outbox = readOutbox();
let busy = false;

function readOutbox() {
  try {
    return JSON.parse(sessionStorage.getItem(drawer)) ?? [];
  } catch {
    return [];
  }
}

function keepOutbox() {
  try {
    sessionStorage.setItem(drawer, JSON.stringify(outbox));
  } catch {
    // Private windows may refuse; the message is then lost by a reload only.
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function mark(entry, status) {
  const item = find(entry.id);
  if (!item) return;
  item.classList.toggle("pending", status === "pending");
  item.classList.toggle("failed", status !== "pending");
  const meta = item.querySelector(".meta");
  meta.replaceChildren(element("span", "", status === "pending" ? words.sending : words[status]));
  if (status === "pending") return;
  const again = element("button", "", words.again);
  again.type = "button";
  again.addEventListener("click", flush);
  meta.append(again);
}

function show(entry) {
  add({ key: entry.id, from: "you", text: entry.text, at: entry.at });
  mark(entry, "pending");
}

// The history may have brought the line already: then the pending one goes.
function sent(entry, message) {
  outbox = outbox.filter((other) => other.id !== entry.id);
  keepOutbox();
  const item = find(entry.id);
  if (!item) return;
  if (find(message)) {
    item.remove();
    return;
  }
  const fresh = bubble({ key: message, from: "you", text: entry.text, at: entry.at });
  fresh.classList.remove("fresh");
  item.replaceWith(fresh);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// "sent", "failed" (it will never be taken), "busy" (not before the answer that is on its way) or "later".
async function post(entry) {
  try {
    const response = await fetch(`${base}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ id: entry.id, text: entry.text }),
      signal: AbortSignal.timeout(15000),
    });
    if (response.ok) {
      const answer = await response.json();
      sent(entry, answer.message);
      return "sent";
    }
    if (response.status === 409) return "busy";
    const passing = response.status >= 500 || [408, 425, 429].includes(response.status);
    return passing ? "later" : "failed";
  } catch {
    return "later";
  }
}

async function deliver(entry) {
  for (const wait of [...waits, null]) {
    const result = await post(entry);
    if (result !== "later" || wait === null) return result;
    await pause(wait * (0.75 + Math.random() / 2));
  }
}

// One after the other, so that they arrive in the order in which they were written.
async function flush() {
  if (busy) return;
  busy = true;
  const refused = new Set();
  outbox.forEach((entry) => mark(entry, "pending"));
  for (let entry = outbox[0]; entry; entry = outbox.find((other) => !refused.has(other.id))) {
    const result = await deliver(entry);
    if (result === "failed" || result === "busy") {
      refused.add(entry.id);
      mark(entry, result);
    } else if (result === "later") {
      outbox.forEach((other) => mark(other, "failed"));
      break;
    }
  }
  busy = false;
}

function submit() {
  const text = field.value.trim();
  if (!text) return;
  const entry = { id: newId(), text, at: Date.now() };
  outbox.push(entry);
  keepOutbox();
  field.value = "";
  fit();
  show(entry);
  toEnd();
  flush();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
  field.focus();
});

// Enter sends where there is a keyboard; on a phone it makes a new line, as people expect there.
const hasKeyboard = matchMedia("(pointer: fine)").matches;
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !hasKeyboard) return;
  event.preventDefault();
  submit();
});

// For browsers whose fields do not grow by themselves.
function fit() {
  if (CSS.supports("field-sizing", "content")) return;
  field.rows = Math.min(6, field.value.split("\n").length);
}
field.addEventListener("input", fit);

// What comes in.

let hideTyping;

function showTyping(on) {
  clearTimeout(hideTyping);
  change(() => {
    typing.hidden = !on;
  });
  // The word that nobody types any more may be lost with a connection.
  if (on) hideTyping = setTimeout(() => showTyping(false), 120000);
}

function showState(online) {
  state.textContent = online ? words.online : words.offline;
  state.classList.toggle("away", !online);
}

async function resync() {
  try {
    const response = await fetch(`${base}/history`, { headers: { accept: "application/json" } });
    if (!response.ok) return;
    const { lines } = await response.json();
    change(() => merge(lines));
  } catch {
    // The stream opens again and asks again.
  }
}

let wait = 1000;

function listen() {
  const events = new EventSource(`${base}/events`);
  events.addEventListener("open", () => {
    wait = 1000;
    showState(true);
    showTyping(false);
    resync();
    if (outbox.length) flush();
  });
  events.addEventListener("reply", (event) => {
    showTyping(false);
    add(JSON.parse(event.data));
  });
  events.addEventListener("notice", (event) => add(JSON.parse(event.data)));
  events.addEventListener("typing", (event) => showTyping(JSON.parse(event.data).on));
  events.addEventListener("resync", resync);
  events.addEventListener("error", () => {
    showState(false);
    showTyping(false);
    if (events.readyState !== EventSource.CLOSED) return;
    setTimeout(listen, wait);
    wait = Math.min(wait * 2, 30000);
  });
  // A page that is kept for the back button holds no connection.
  addEventListener("pagehide", () => events.close(), { once: true });
}

list.querySelectorAll("time").forEach(localTime);
outbox.forEach(show);
addEventListener("online", () => outbox.length && flush());
addEventListener("pageshow", (event) => event.persisted && listen());
listen();
