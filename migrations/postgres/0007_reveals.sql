-- What people had shown to them that is hidden otherwise, for as long as their sign-in lasts.
CREATE TABLE reveal (
    sign_in text COLLATE "C" NOT NULL REFERENCES sign_in ON DELETE CASCADE,
    scope text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (sign_in, scope)
);
