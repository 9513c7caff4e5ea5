"""The tables of the shop, which its back office works on too. Money is in cents, times are ISO texts."""

SCHEMA = """
CREATE TABLE product (
  position INTEGER PRIMARY KEY, sku TEXT UNIQUE, slug TEXT UNIQUE, name TEXT, category TEXT, maker TEXT,
  kind TEXT, cents INTEGER, colours TEXT, sizes TEXT, stock INTEGER, blurb TEXT, material TEXT, care TEXT,
  weight TEXT, enabled INTEGER DEFAULT 1);
CREATE TABLE review (
  id INTEGER PRIMARY KEY, slug TEXT, customer INTEGER DEFAULT 0, author TEXT, stars INTEGER, title TEXT,
  body TEXT, written TEXT, status TEXT DEFAULT 'Approved', mine INTEGER DEFAULT 0);
CREATE INDEX review_of ON review (slug);
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE, phone TEXT, street TEXT, postcode TEXT, city TEXT,
  country TEXT, newsletter INTEGER, password_sha256 TEXT, joined TEXT, segment TEXT DEFAULT 'General');
CREATE TABLE address (
  id INTEGER PRIMARY KEY, customer INTEGER, name TEXT, street TEXT, postcode TEXT, city TEXT, country TEXT,
  phone TEXT);
CREATE TABLE cart_line (
  id INTEGER PRIMARY KEY, customer INTEGER, slug TEXT, size TEXT, colour TEXT, quantity INTEGER,
  UNIQUE (customer, slug, size, colour));
CREATE TABLE wish (id INTEGER PRIMARY KEY, customer INTEGER, slug TEXT, UNIQUE (customer, slug));
CREATE TABLE purchase (
  id INTEGER PRIMARY KEY, customer INTEGER, placed TEXT, status TEXT, goods INTEGER, discount INTEGER,
  promo TEXT, delivery_cents INTEGER, total INTEGER, delivery TEXT, payment TEXT, card_last4 TEXT, name TEXT,
  email TEXT, street TEXT, postcode TEXT, city TEXT, country TEXT, gift_wrap INTEGER, note TEXT,
  tracking TEXT DEFAULT '', mine INTEGER DEFAULT 0);
CREATE INDEX purchase_of ON purchase (customer);
CREATE TABLE purchase_line (
  id INTEGER PRIMARY KEY, purchase INTEGER, slug TEXT, size TEXT, colour TEXT, quantity INTEGER,
  cents INTEGER);
CREATE INDEX line_of ON purchase_line (purchase);
CREATE TABLE purchase_event (
  id INTEGER PRIMARY KEY, purchase INTEGER, at TEXT, status TEXT, comment TEXT, author TEXT);
CREATE TABLE search_term (query TEXT PRIMARY KEY, results INTEGER, uses INTEGER);
CREATE TABLE price_rule (
  id INTEGER PRIMARY KEY, name TEXT, code TEXT, percent INTEGER, segment TEXT, starts TEXT, ends TEXT,
  active INTEGER);
CREATE TABLE staff (name TEXT PRIMARY KEY, password_sha256 TEXT);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT);
"""
