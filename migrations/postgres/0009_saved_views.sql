-- Views of lists that people saved.
CREATE TABLE saved_view (
    slug text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    list text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL,
    shared boolean NOT NULL,
    created_at bigint NOT NULL
);
CREATE INDEX saved_view_list ON saved_view (list, name);
