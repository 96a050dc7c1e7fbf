-- Views of lists that people saved.
CREATE TABLE saved_view (
    slug TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    list TEXT NOT NULL,
    address TEXT NOT NULL,
    owner TEXT NOT NULL,
    shared INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX saved_view_list ON saved_view (list, name);
