"""The forge's tables, and the values of their enumerations."""

from __future__ import annotations

SCHEMA = """
CREATE TABLE person (
  username TEXT PRIMARY KEY COLLATE NOCASE, name TEXT, email TEXT, bio TEXT, location TEXT, job TEXT,
  website TEXT, status TEXT, joined INTEGER, password_sha256 TEXT);
CREATE TABLE team (
  path TEXT PRIMARY KEY COLLATE NOCASE, name TEXT, description TEXT, visibility TEXT, created INTEGER);
CREATE TABLE team_member (
  team TEXT COLLATE NOCASE, person TEXT COLLATE NOCASE, role INTEGER, since INTEGER, UNIQUE (team, person));
CREATE TABLE project (
  id INTEGER PRIMARY KEY, owner TEXT COLLATE NOCASE, path TEXT COLLATE NOCASE, name TEXT, description TEXT,
  topics TEXT, language TEXT, visibility TEXT, created INTEGER, updated INTEGER, stars INTEGER,
  forked_from TEXT, UNIQUE (owner, path));
CREATE TABLE member (
  project INTEGER, person TEXT COLLATE NOCASE, role INTEGER, since INTEGER, expires TEXT,
  UNIQUE (project, person));
CREATE TABLE star (person TEXT COLLATE NOCASE, project INTEGER, UNIQUE (person, project));
CREATE TABLE file (project INTEGER, path TEXT, content TEXT, UNIQUE (project, path));
CREATE TABLE revision (
  id INTEGER PRIMARY KEY, sha TEXT, project INTEGER, author TEXT, title TEXT, at INTEGER);
CREATE INDEX revision_by_project ON revision (project, at);
CREATE TABLE changed_file (revision INTEGER, path TEXT, added INTEGER, removed INTEGER, patch TEXT);
CREATE INDEX changed_file_by_revision ON changed_file (revision);
CREATE TABLE label (project INTEGER, name TEXT, colour TEXT, description TEXT, UNIQUE (project, name));
CREATE TABLE milestone (
  id INTEGER PRIMARY KEY, project INTEGER, iid INTEGER, title TEXT, description TEXT, start TEXT, due TEXT,
  state TEXT DEFAULT 'active');
CREATE TABLE issue (
  id INTEGER PRIMARY KEY, project INTEGER, iid INTEGER, title TEXT, description TEXT, author TEXT,
  assignee TEXT COLLATE NOCASE DEFAULT '', milestone TEXT DEFAULT '', due TEXT DEFAULT '',
  state TEXT DEFAULT 'opened', created INTEGER, updated INTEGER, UNIQUE (project, iid));
CREATE TABLE issue_label (issue INTEGER, label TEXT, UNIQUE (issue, label));
CREATE TABLE merge_request (
  id INTEGER PRIMARY KEY, project INTEGER, iid INTEGER, title TEXT, description TEXT, author TEXT,
  assignee TEXT COLLATE NOCASE DEFAULT '', reviewer TEXT COLLATE NOCASE DEFAULT '', source TEXT,
  state TEXT DEFAULT 'opened', created INTEGER, updated INTEGER, path TEXT, content TEXT,
  UNIQUE (project, iid));
CREATE TABLE approval (merge_request INTEGER, person TEXT, UNIQUE (merge_request, person));
CREATE TABLE note (
  id INTEGER PRIMARY KEY, kind TEXT, item INTEGER, author TEXT, body TEXT, at INTEGER,
  automatic INTEGER DEFAULT 0);
CREATE INDEX note_by_item ON note (kind, item);
CREATE TABLE todo (
  id INTEGER PRIMARY KEY, person TEXT COLLATE NOCASE, author TEXT, action TEXT, kind TEXT, item INTEGER,
  at INTEGER, done INTEGER DEFAULT 0);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT);
"""

GUEST, REPORTER, DEVELOPER, MAINTAINER, OWNER = 10, 20, 30, 40, 50
ROLES = {
    GUEST: "Guest",
    REPORTER: "Reporter",
    DEVELOPER: "Developer",
    MAINTAINER: "Maintainer",
    OWNER: "Owner",
}
VISIBILITIES = {
    "private": "Only members can see it.",
    "internal": "Everybody who is signed in can see it.",
    "public": "Everybody can see it.",
}
BRANCH = "main"
"""The one branch whose files are kept; the others exist as merge requests."""
