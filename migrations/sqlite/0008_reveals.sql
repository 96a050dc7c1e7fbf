-- What people had shown to them that is hidden otherwise, for as long as their sign-in lasts.
CREATE TABLE reveal (
    sign_in TEXT NOT NULL,
    scope TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (sign_in, scope)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sign_in_ended AFTER DELETE ON sign_in BEGIN
    DELETE FROM reveal WHERE sign_in = old.id;
END;
