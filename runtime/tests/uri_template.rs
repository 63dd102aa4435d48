//! Templates that are filled in, and URIs that are read back with them.

use mcprism::uri_template::{UriTemplate, Value, Variables};

fn string(string: &str) -> Value {
    string.into()
}

fn list(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| (*item).to_owned()).collect())
}

fn map(pairs: &[(&str, &str)]) -> Value {
    Value::Map(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
}

fn variables(values: &[(&str, Value)]) -> Variables {
    values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn template(text: &str) -> UriTemplate {
    UriTemplate::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The variables of section 3.2 of the RFC.
fn of_the_rfc() -> Variables {
    variables(&[
        ("count", list(&["one", "two", "three"])),
        ("dom", list(&["example", "com"])),
        ("dub", string("me/too")),
        ("hello", string("Hello World!")),
        ("half", string("50%")),
        ("var", string("value")),
        ("who", string("fred")),
        ("base", string("http://example.com/home/")),
        ("path", string("/foo/bar")),
        ("list", list(&["red", "green", "blue"])),
        ("keys", map(&[("semi", ";"), ("dot", "."), ("comma", ",")])),
        ("v", string("6")),
        ("x", string("1024")),
        ("y", string("768")),
        ("empty", string("")),
        ("empty_keys", map(&[])),
    ])
}

/// The examples of the RFC, with the variables above.
const EXPANSIONS: &[(&str, &str)] = &[
    // 2.1 Literals
    ("'{count}'", "'one,two,three'"),
    // 3.2.1 Variable Expansion
    ("{count}", "one,two,three"),
    ("{count*}", "one,two,three"),
    ("{/count}", "/one,two,three"),
    ("{/count*}", "/one/two/three"),
    ("{;count}", ";count=one,two,three"),
    ("{;count*}", ";count=one;count=two;count=three"),
    ("{?count}", "?count=one,two,three"),
    ("{?count*}", "?count=one&count=two&count=three"),
    ("{&count*}", "&count=one&count=two&count=three"),
    // 3.2.2 Simple String Expansion
    ("{var}", "value"),
    ("{hello}", "Hello%20World%21"),
    ("{half}", "50%25"),
    ("O{empty}X", "OX"),
    ("O{undef}X", "OX"),
    ("{x,y}", "1024,768"),
    ("{x,hello,y}", "1024,Hello%20World%21,768"),
    ("?{x,empty}", "?1024,"),
    ("?{x,undef}", "?1024"),
    ("?{undef,y}", "?768"),
    ("{var:3}", "val"),
    ("{var:30}", "value"),
    ("{list}", "red,green,blue"),
    ("{list*}", "red,green,blue"),
    ("{keys}", "semi,%3B,dot,.,comma,%2C"),
    ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
    // 3.2.3 Reserved Expansion
    ("{+var}", "value"),
    ("{/var,empty}", "/value/"),
    ("{/var,undef}", "/value"),
    ("{+hello}", "Hello%20World!"),
    ("{+half}", "50%25"),
    ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
    ("{+base}index", "http://example.com/home/index"),
    ("O{+empty}X", "OX"),
    ("O{+undef}X", "OX"),
    ("{+path}/here", "/foo/bar/here"),
    ("{+path:6}/here", "/foo/b/here"),
    ("here?ref={+path}", "here?ref=/foo/bar"),
    ("up{+path}{var}/here", "up/foo/barvalue/here"),
    ("{+x,hello,y}", "1024,Hello%20World!,768"),
    ("{+path,x}/here", "/foo/bar,1024/here"),
    ("{+list}", "red,green,blue"),
    ("{+list*}", "red,green,blue"),
    ("{+keys}", "semi,;,dot,.,comma,,"),
    ("{+keys*}", "semi=;,dot=.,comma=,"),
    // 3.2.4 Fragment Expansion
    ("{#var}", "#value"),
    ("{#hello}", "#Hello%20World!"),
    ("{#half}", "#50%25"),
    ("foo{#empty}", "foo#"),
    ("foo{#undef}", "foo"),
    ("{#x,hello,y}", "#1024,Hello%20World!,768"),
    ("{#path,x}/here", "#/foo/bar,1024/here"),
    ("{#path:6}/here", "#/foo/b/here"),
    ("{#list}", "#red,green,blue"),
    ("{#list*}", "#red,green,blue"),
    ("{#keys}", "#semi,;,dot,.,comma,,"),
    // 3.2.5 Label Expansion with Dot-Prefix
    ("{.who}", ".fred"),
    ("{.who,who}", ".fred.fred"),
    ("{.half,who}", ".50%25.fred"),
    ("www{.dom*}", "www.example.com"),
    ("X{.var}", "X.value"),
    ("X{.var:3}", "X.val"),
    ("X{.empty}", "X."),
    ("X{.undef}", "X"),
    ("X{.list}", "X.red,green,blue"),
    ("X{.list*}", "X.red.green.blue"),
    ("{#keys}", "#semi,;,dot,.,comma,,"),
    ("{#keys*}", "#semi=;,dot=.,comma=,"),
    ("X{.empty_keys}", "X"),
    ("X{.empty_keys*}", "X"),
    // 3.2.6 Path Segment Expansion
    ("{/who}", "/fred"),
    ("{/who,who}", "/fred/fred"),
    ("{/half,who}", "/50%25/fred"),
    ("{/who,dub}", "/fred/me%2Ftoo"),
    ("{/var}", "/value"),
    ("{/var,empty}", "/value/"),
    ("{/var,undef}", "/value"),
    ("{/var,x}/here", "/value/1024/here"),
    ("{/var:1,var}", "/v/value"),
    ("{/list}", "/red,green,blue"),
    ("{/list*}", "/red/green/blue"),
    ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
    ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
    ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
    // 3.2.7 Path-Style Parameter Expansion
    ("{;who}", ";who=fred"),
    ("{;half}", ";half=50%25"),
    ("{;empty}", ";empty"),
    ("{;hello:5}", ";hello=Hello"),
    ("{;v,empty,who}", ";v=6;empty;who=fred"),
    ("{;v,bar,who}", ";v=6;who=fred"),
    ("{;x,y}", ";x=1024;y=768"),
    ("{;x,y,empty}", ";x=1024;y=768;empty"),
    ("{;x,y,undef}", ";x=1024;y=768"),
    ("{;list}", ";list=red,green,blue"),
    ("{;list*}", ";list=red;list=green;list=blue"),
    ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
    ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
    // 3.2.8 Form-Style Query Expansion
    ("{?who}", "?who=fred"),
    ("{?half}", "?half=50%25"),
    ("{?x,y}", "?x=1024&y=768"),
    ("{?x,y,empty}", "?x=1024&y=768&empty="),
    ("{?x,y,undef}", "?x=1024&y=768"),
    ("{?var:3}", "?var=val"),
    ("{?list}", "?list=red,green,blue"),
    ("{?list*}", "?list=red&list=green&list=blue"),
    ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
    ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
    // 3.2.9 Form-Style Query Continuation
    ("{&who}", "&who=fred"),
    ("{&half}", "&half=50%25"),
    ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
    ("{&var:3}", "&var=val"),
    ("{&x,y,empty}", "&x=1024&y=768&empty="),
    ("{&x,y,undef}", "&x=1024&y=768"),
    ("{&list}", "&list=red,green,blue"),
    ("{&list*}", "&list=red&list=green&list=blue"),
    ("{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"),
    ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
];

#[test]
fn the_examples_of_the_rfc_are_expanded() {
    let variables = of_the_rfc();
    for (text, uri) in EXPANSIONS {
        assert_eq!(template(text).expand(&variables), *uri, "{text}");
    }
}

#[test]
fn the_examples_of_the_rfc_are_read_back() {
    let variables = of_the_rfc();
    // Lists in a `+` or `#`, maps that aren't spread out, and whatever else looks like something else is
    // read as that; the URI of it is the same.
    for (text, uri) in EXPANSIONS {
        let template = template(text);
        let found = template.matches(uri).unwrap_or_else(|| panic!("{text} doesn't match {uri}"));
        assert_eq!(template.expand(&found), *uri, "{text}");
        let is_ambiguous = ["+", "#", "keys}", "empty", "undef", ":"];
        if !is_ambiguous.iter().any(|sign| text.contains(sign)) {
            for (name, value) in found {
                assert_eq!(value, variables[&name], "{text} {name}");
            }
        }
    }
}

#[test]
fn more_expansions_than_those_of_the_rfc() {
    let variables = variables(&[
        ("greek", string("αβγ")),
        ("clef", string("𝄞stave")),
        ("pct", string("a%2Fb%zz")),
        ("list", list(&["red%25", "%2Fgreen", "blue "])),
        ("none", list(&[])),
        ("gaps", list(&["", "x", ""])),
        ("evil", map(&[("a&b=c#", "1&2"), ("n", "")])),
        ("Stra%C3%9Fe", string("Grüner Weg")),
        ("last.name", string("Doe")),
        ("42", string("answer")),
    ]);
    let table = [
        ("", ""),
        ("café/{greek:1}", "caf%C3%A9/%CE%B1"),
        ("{clef:1}|".trim_end_matches('|'), "%F0%9D%84%9E"),
        ("{greek:9999}", "%CE%B1%CE%B2%CE%B3"),
        ("{pct}", "a%252Fb%25zz"),
        ("{+pct}", "a%2Fb%25zz"),
        // An encoding is a character of its own if it stays one.
        ("{pct:3}", "a%252"),
        ("{+pct:3}", "a%2Fb"),
        ("{+list}", "red%25,%2Fgreen,blue%20"),
        ("{list}", "red%2525,%252Fgreen,blue%20"),
        ("{list:1}{?list:1}", ""),
        ("{none}{/none*}{?none}", ""),
        ("{gaps}", ",x,"),
        ("{;gaps*}", ";gaps;gaps=x;gaps"),
        ("{?gaps*}", "?gaps=&gaps=x&gaps="),
        ("{?evil*}", "?a%26b%3Dc%23=1%262&n="),
        ("{;evil*}", ";a%26b%3Dc%23=1%262;n"),
        ("{?Stra%C3%9Fe,last.name,42}", "?Stra%C3%9Fe=Gr%C3%BCner%20Weg&last.name=Doe&42=answer"),
        ("x%20y{undef}z", "x%20yz"),
    ];
    for (text, uri) in table {
        assert_eq!(template(text).expand(&variables), uri, "{text}");
    }
}

#[test]
fn what_is_no_template_is_refused_where_it_goes_wrong() {
    let table: &[(&str, usize, &str)] = &[
        ("{/id*", 0, "never closed"),
        ("/id*}", 4, "never opened"),
        ("a{}b", 2, "no name"),
        ("{?}", 2, "no name"),
        ("{x,}", 3, "no name"),
        ("{*}", 1, "no name"),
        ("{:3}", 1, "no name"),
        ("{/?id}", 2, "a name has"),
        ("{??hello}", 2, "a name has"),
        ("{!hello}", 1, "keeps for later"),
        ("{=path}", 1, "keeps for later"),
        ("{|var*}", 1, "keeps for later"),
        ("{@a}", 1, "keeps for later"),
        ("{,a}", 1, "keeps for later"),
        ("{$var}", 1, "a name has"),
        ("{with space}", 5, "a name has"),
        ("{ x}", 1, "a name has"),
        ("{x, y}", 3, "a name has"),
        ("{default-graph-uri}", 8, "a name has"),
        ("{~thing}", 1, "a name has"),
        ("{a{b}", 2, "a name has"),
        ("{é}", 1, "a name has"),
        ("{x.}", 2, "a name has"),
        ("{.x..y}", 4, "a name has"),
        ("{..x}", 2, "a name has"),
        ("{%2x}", 1, "a name has"),
        ("{%FF}", 1, "UTF-8"),
        ("{var:prefix}", 5, "a prefix has"),
        ("{hello:2*}", 6, "a name has"),
        ("{var:0}", 5, "a prefix has"),
        ("{var:01}", 5, "a prefix has"),
        ("{var:10000}", 5, "a prefix has"),
        ("{var:}", 5, "a prefix has"),
        ("{var:+1}", 5, "a prefix has"),
        ("ab%", 2, "percent sign"),
        ("ab%4", 2, "percent sign"),
        ("é%zz", 2, "percent sign"),
        ("{a}%ff{b}", 3, "UTF-8"),
        ("a b", 1, "no URI has"),
        ("a\\b", 1, "no URI has"),
        ("a\0", 1, "control character"),
    ];
    for (text, at, what) in table {
        let error = UriTemplate::parse(text).expect_err(text);
        assert_eq!(error.at, *at, "{text}: {error}");
        assert!(error.what.contains(what), "{text}: {error}");
        assert!(error.to_string().starts_with(&format!("URI template, byte {at}: ")));
    }
}

#[test]
fn a_template_keeps_its_text() {
    for text in ["", "a", "note://{id}{?a,b*}", "caf\u{e9}/%7e{x:3}"] {
        assert_eq!(template(text).as_str(), text);
        assert_eq!(template(text).to_string(), text);
    }
}

/// Templates, URIs, and the values that are read from them.
#[test]
fn a_uri_is_read_back() {
    type Values<'a> = Option<&'a [(&'a str, Value)]>;
    let table: &[(&str, &str, Values<'_>)] = &[
        ("", "", Some(&[])),
        ("", "a", None),
        ("a", "", None),
        ("a://b", "a://b", Some(&[])),
        ("a://b", "a://bc", None),
        ("note://{id}", "note://7", Some(&[("id", string("7"))])),
        ("note://{id}", "note://", Some(&[])),
        ("note://{id}", "note://a/b", None),
        ("note://{id}", "note://a%2Fb", Some(&[("id", string("a/b"))])),
        ("note://{id}", "note://a%252Fb", Some(&[("id", string("a%2Fb"))])),
        ("note://{id}", "note://a?b", None),
        ("note://{id}", "note://a#b", None),
        ("note://{id}", "note://bob@example.com:8!", Some(&[("id", string("bob@example.com:8!"))])),
        ("note://{id}", "Note://7", None),
        ("note://{id}", "note://caf\u{e9} {x}", Some(&[("id", string("caf\u{e9} {x}"))])),
        ("note://{id}", "note://caf%c3%a9%00", Some(&[("id", string("caf\u{e9}\0"))])),
        ("note://caf\u{e9}/{id}", "note://caf%C3%A9/1", Some(&[("id", string("1"))])),
        ("note://%7euser/{id}", "note://~user/1", Some(&[("id", string("1"))])),
        // What is no URI.
        ("note://{id}", "note://%", None),
        ("note://{id}", "note://%4", None),
        ("note://{id}", "note://%zz", None),
        ("note://{id}", "note://%FF", None),
        ("note://{id}", "note://%C3\u{a9}", None),
        ("note://{+id}", "note://%e9", None),
        // The one that stops at a slash, and the one that doesn't.
        ("file:///{path}", "file:///a/b", None),
        ("file:///{+path}", "file:///a/b.txt", Some(&[("path", string("a/b.txt"))])),
        ("file:///{+path}", "file:///a/%2e%2e/b", Some(&[("path", string("a/../b"))])),
        ("file:///{+path}", "file:///a%2Fb%20c%25", Some(&[("path", string("a%2Fb c%"))])),
        ("file:///{+path}", "file:///%252F", Some(&[("path", string("%252F"))])),
        ("file:///{+path}", "file:///%25%32%46", Some(&[("path", string("%252F"))])),
        ("f/{+folder}/{file}", "f/a/b/c", Some(&[("folder", string("a/b")), ("file", string("c"))])),
        ("{+a}x{b}", "1x2/3x4", Some(&[("a", string("1x2/3")), ("b", string("4"))])),
        ("{+base}/info", "http://h/info/info", Some(&[("base", string("http://h/info"))])),
        // Several ways.
        ("{a}-{b}", "x-y-z", Some(&[("a", string("x")), ("b", string("y-z"))])),
        ("{a}-end", "x-end-end", Some(&[("a", string("x-end"))])),
        ("{x}-a{/y}", "b-a-a/c", Some(&[("x", string("b-a")), ("y", string("c"))])),
        ("{a}{b}", "xyz", Some(&[("b", string("xyz"))])),
        ("{a}aab{b}", "aaabab", Some(&[("a", string("a")), ("b", string("ab"))])),
        ("{a}abab{+b}", "abaababab", Some(&[("a", string("aba")), ("b", string("ab"))])),
        // The same variable more than once.
        ("{a}/{a}", "x/x", Some(&[("a", string("x"))])),
        ("{a}/{a}", "x/y", None),
        ("{a}/{a}", "x/", None),
        ("{a:1}/{a}", "v/value", Some(&[("a", string("value"))])),
        ("{a:1}/{a}", "w/value", None),
        ("{a:1}/{a}", "va/value", None),
        ("{a:1}/{a:3}", "v/val", Some(&[("a", string("val"))])),
        ("{a}{?a*}", "x?a=x", Some(&[("a", list(&["x"]))])),
        // Prefixes.
        ("{a:3}", "abc", Some(&[("a", string("abc"))])),
        ("{a:3}", "abcd", None),
        ("{a:2}", "%C3%A9%2F", Some(&[("a", string("\u{e9}/"))])),
        ("{a}-{b:2}", "x-y-zz", Some(&[("a", string("x-y")), ("b", string("zz"))])),
        ("{?a:2}", "?a=xyz", None),
        // Lists, and maps.
        ("{a}", "x,y", Some(&[("a", list(&["x", "y"]))])),
        ("{a}", "x%2Cy", Some(&[("a", string("x,y"))])),
        ("{+a}", "x,y", Some(&[("a", string("x,y"))])),
        ("{a,b}", "1,2", Some(&[("a", string("1")), ("b", string("2"))])),
        ("{a,b}", "1", Some(&[("a", string("1"))])),
        ("{a,b}", "1,2,3", Some(&[("a", string("1")), ("b", list(&["2", "3"]))])),
        ("{a*,b}", "1,2,3", Some(&[("a", list(&["1", "2"])), ("b", string("3"))])),
        ("{+a,b}", "1,2,3", Some(&[("a", string("1")), ("b", string("2,3"))])),
        ("{a*}", "x=1,y=2", Some(&[("a", map(&[("x", "1"), ("y", "2")]))])),
        ("{a*}", "x=1,y", Some(&[("a", list(&["x=1", "y"]))])),
        ("{/a*}", "/x/y/z", Some(&[("a", list(&["x", "y", "z"]))])),
        ("{/a*}", "/x", Some(&[("a", list(&["x"]))])),
        ("{/a*}", "", Some(&[])),
        ("{/a*}", "x/y", None),
        ("{/a}", "/x/y", None),
        ("{/a}", "/", Some(&[("a", string(""))])),
        ("{/a,b}", "/x/y", Some(&[("a", string("x")), ("b", string("y"))])),
        ("{/a,b}", "/x", Some(&[("a", string("x"))])),
        ("{/a,b}", "/x/y/z", None),
        ("{/a,b}{/c}", "/x/y/z", Some(&[("a", string("x")), ("b", string("y")), ("c", string("z"))])),
        ("x{.a}", "x.tar.gz", Some(&[("a", string("tar.gz"))])),
        ("{name}{.ext}", "a.txt", Some(&[("name", string("a")), ("ext", string("txt"))])),
        ("{name}{.ext}", "a", Some(&[("name", string("a"))])),
        ("www{.a*}", "www.x.y", Some(&[("a", list(&["x", "y"]))])),
        ("a{#b}", "a#x/y?z", Some(&[("b", string("x/y?z"))])),
        ("a{#b}", "a", Some(&[])),
        ("a{#b}", "a#", Some(&[("b", string(""))])),
        // Names.
        ("x{?a,b}", "x?a=1&b=2", Some(&[("a", string("1")), ("b", string("2"))])),
        ("x{?a,b}", "x?b=2&a=1", Some(&[("a", string("1")), ("b", string("2"))])),
        ("x{?a,b}", "x?b=2", Some(&[("b", string("2"))])),
        ("x{?a,b}", "x", Some(&[])),
        ("x{?a,b}", "x?", None),
        ("x{?a,b}", "x?a", Some(&[("a", string(""))])),
        ("x{?a,b}", "x?a=", Some(&[("a", string(""))])),
        ("x{?a,b}", "x?a=1&a=2", None),
        ("x{?a,b}", "x?a=1&c=2", None),
        ("x{?a,b}", "x?a=1&", None),
        ("x{?a,b}", "x&a=1", None),
        ("x{?a}", "x?a=1=2+3/4?5&".trim_end_matches('&'), Some(&[("a", string("1=2+3/4?5"))])),
        ("x{?a}", "x?a=1#f", None),
        ("x{?a}{#f}", "x?a=1#f", Some(&[("a", string("1")), ("f", string("f"))])),
        ("x{?a}", "x?%61=1", Some(&[("a", string("1"))])),
        ("x{?a}", "x?a=1%26b", Some(&[("a", string("1&b"))])),
        ("x{?a}", "x?a=1,2", Some(&[("a", list(&["1", "2"]))])),
        ("x{?a*}", "x?a=1&a=2", Some(&[("a", list(&["1", "2"]))])),
        ("x{?a*}", "x?b=1&c=2", Some(&[("a", map(&[("b", "1"), ("c", "2")]))])),
        ("x{?a,m*}", "x?b=1&a=2&c", Some(&[("a", string("2")), ("m", map(&[("b", "1"), ("c", "")]))])),
        ("x{?a}{&b}", "x?a=1&b=2", Some(&[("a", string("1")), ("b", string("2"))])),
        ("x{?a,c}{&b}", "x?a=1&c=3&b=2", Some(&[("a", string("1")), ("b", string("2")), ("c", string("3"))])),
        ("x?v=1{&a}", "x?v=1&a=2", Some(&[("a", string("2"))])),
        ("x{?a}&b={b}", "x?a=1&b=2", Some(&[("a", string("1")), ("b", string("2"))])),
        ("x{+p}{?q}", "x/y?q=1", Some(&[("p", string("/y")), ("q", string("1"))])),
        ("x{;a,b}/y", "x;b=2;a/y", Some(&[("a", string("")), ("b", string("2"))])),
        ("x{;a}:y", "x;a:y", Some(&[("a", string(""))])),
        ("x{;a}:y", "x;a=1:y", Some(&[("a", string("1"))])),
        ("x{;a}{;b}", "x;b=2", Some(&[("b", string("2"))])),
        ("x{?Stra%C3%9Fe}", "x?Stra%c3%9fe=1", Some(&[("Stra%C3%9Fe", string("1"))])),
    ];
    for (text, uri, wanted) in table {
        let found = template(text).matches(uri);
        assert_eq!(found, wanted.map(variables), "{text} for {uri}");
    }
}

/// Numbers that look random, and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn text(&mut self, of: &[&str], most: usize) -> String {
        (0..self.below(most + 1)).map(|_| self.one(of)).collect()
    }
}

const CHARACTERS: &[&str] = &[
    "a",
    "b",
    "-",
    ".",
    "~",
    "/",
    "?",
    "#",
    "&",
    "=",
    ";",
    ",",
    ":",
    "%",
    "2",
    "F",
    " ",
    "\u{e9}",
    "\u{1d11e}",
    "\0",
    "+",
    "{",
    "}",
];

const PIECES: &[&str] = &[
    "a", "b", "x", "-", ".", "/", "?", "#", "&", "=", ";", ",", ":", "%2F", "%25", "%2f", "%41", "%C3%A9", "\u{e9}",
    "?a=", "&a=", "&b=1", ";a", "a=b", "x:", "%3A", "%2C",
];

const TEMPLATES: &[&str] = &[
    "x:{a}",
    "x:{+a}",
    "x:{a}/{b}",
    "x:{+a}/{b}",
    "x:{a}-{b}",
    "{a}{b}",
    "{+a}{b}",
    "{a}{+b}",
    "{+a}{+b}",
    "{a}:{b}",
    "{a}%3A{b}",
    "{a}%3A{b}:{c}",
    "{a,b}",
    "{+a,b}",
    "{a*}",
    "{+a*}",
    "{a*,b}",
    "{a,b*}",
    "{#a}",
    "{#a,b}",
    "x{#a*}",
    "{.a}",
    "x{.a,b}",
    "x{.a*}",
    "{a}{.b}",
    "{/a}",
    "{/a,b}",
    "{/a*}",
    "{/a*,b}",
    "{/a,b}{/c}",
    "{;a}",
    "{;a,b}",
    "{;a*}",
    "{;a}{;b}",
    "{?a}",
    "{?a,b}",
    "{?a*}",
    "{?a,b*}",
    "{?a}{&b}",
    "{?a,b}{&c*}",
    "{+a}{?b}",
    "{a}{?b}{#c}",
    "{?a}{b}",
    "{?a}/x{b}",
    "{a:2}",
    "{+a:2}",
    "{+a}{b:2}",
    "{a:1}/{a}",
    "{a}/{a}",
    "{a}{?a}",
    "{a*}/{a}",
    "{/a:1,a}",
    "{+a}/{a}",
    "{?a:2,b}",
    "{?a,a}",
    "x{?x*,a*}",
    "{/a}x{/b}",
];

fn random_value(random: &mut Random) -> Value {
    let string = |random: &mut Random| random.text(CHARACTERS, 4);
    match random.below(5) {
        0 => Value::List((0..random.below(4)).map(|_| string(random)).collect()),
        1 => Value::Map((0..random.below(3)).map(|_| (string(random), string(random))).collect()),
        _ => Value::String(string(random)),
    }
}

#[test]
fn what_is_found_in_a_uri_is_found_again_in_its_expansion() {
    let random = &mut Random(0x9e37_79b9_7f4a_7c15);
    let mut matched = 0;
    for text in TEMPLATES {
        let template = template(text);
        for turn in 0..1_500 {
            let mut uri = random.text(PIECES, 7);
            if turn % 2 == 0 {
                let values = ["a", "b", "c"].map(|name| (name, random_value(random)));
                uri = template.expand(&variables(&values)) + if turn % 4 == 0 { "" } else { &uri };
            }
            if turn % 3 == 0 {
                let at = (0..uri.len() + 1).filter(|at| uri.is_char_boundary(*at));
                let at: Vec<usize> = at.collect();
                uri.insert_str(at[random.below(at.len())], random.one(PIECES));
            }
            let Some(found) = template.matches(&uri) else { continue };
            matched += 1;
            let again = template.expand(&found);
            assert_eq!(template.matches(&again), Some(found), "{text} for {uri} and then {again}");
        }
    }
    assert!(matched > 20_000, "only {matched} URIs matched");
}

#[test]
fn every_expansion_can_be_read() {
    let random = &mut Random(0x2545_f491_4f6c_dd1d);
    // A string that is cut off, or stands twice, may have no other string that gives the same URI.
    for text in TEMPLATES.iter().filter(|text| !text.contains(':') || text.starts_with("x:")) {
        let template = template(text);
        if ["{a}/{a}", "{a}{?a}", "{a*}/{a}", "{+a}/{a}", "{?a,a}"].contains(text) {
            continue;
        }
        for _ in 0..500 {
            let values = ["a", "b", "c"].map(|name| {
                let value = random.text(CHARACTERS, 4);
                // What looks like an encoding stays one there, even if it is none of UTF-8.
                (name, if text.contains(['+', '#']) { string(&value.replace('%', "")) } else { string(&value) })
            });
            let uri = template.expand(&variables(&values));
            let found = template.matches(&uri).unwrap_or_else(|| panic!("{text} doesn't match {uri}"));
            // The piece of a `+` that another variable has is encoded now.
            if !text.contains('+') {
                assert_eq!(template.expand(&found), uri, "{text}");
            }
        }
    }
}

#[test]
fn values_that_mean_one_thing_are_given_back() {
    let random = &mut Random(0x1234_5678_9abc_def1);
    let one_way = [
        "x:{a}",
        "x:{a}/{b}",
        "{/a,b,c}",
        "{;a,b,c}",
        "{?a,b,c}",
        "x?v=1{&a,b}",
        "{a}:{b}",
        "{a}{/b}{?c}",
        "{?a}{&b}{#c}",
        "{a,b,c}",
        "x{?a,b}&c={c}",
        "{+a}",
    ];
    for text in one_way {
        let template = template(text);
        for _ in 0..500 {
            // At least one character, and nothing that looks like an encoding where encodings stay.
            let mut value = || string(&format!("{}y", random.text(CHARACTERS, 5).replace('%', "")));
            let values: Vec<_> = ["a", "b", "c"]
                .into_iter()
                .filter(|name| ["}", ","].iter().any(|end| text.contains(&format!("{name}{end}"))))
                .map(|name| (name, value()))
                .collect();
            let uri = template.expand(&variables(&values));
            assert_eq!(template.matches(&uri), Some(variables(&values)), "{text} for {uri}");
        }
    }
}

#[test]
fn long_uris_and_templates_take_their_time_and_no_more() {
    let many = "a".repeat(500_000);
    assert_eq!(template("{a}").matches(&many), Some(variables(&[("a", string(&many))])));
    assert_eq!(template("{a}-{b}{+c}x{d}").matches(&many), None);
    assert_eq!(template("{a}a{b}a{c}a{d}").matches(&many).map(|found| found.len()), Some(1));
    assert_eq!(template("{?a,b}").matches(&"?".repeat(500_000)), None);
    assert_eq!(template("{+a}{?a,b}").matches(&format!("{}%", "?a=&".repeat(100_000))), None);
    assert_eq!(template("{/a*}").matches(&"/".repeat(500_000)), Some(variables(&[("a", list(&vec![""; 500_000]))])));
    let repeated = format!("{{a}}{}{{b}}", "a".repeat(10_000));
    assert_eq!(template(&repeated).matches(&format!("{many}b")).map(|found| found.len()), Some(1));

    let names: Vec<String> = (0..1_000).map(|at| format!("a{at}")).collect();
    let uri: Vec<&str> = vec![&many[..1_000]; 1_000];
    let found = template(&names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join("/"));
    assert_eq!(found.matches(&uri.join("/")).map(|found| found.len()), Some(1_000));
    assert_eq!(found.matches(&uri.join("-")), None);
    // Every hyphen may be the one between any two variables.
    let ambiguous = template(&names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join("-"));
    assert_eq!(ambiguous.matches(&"a-".repeat(1_000)).map(|found| found.len()), Some(1_000));
    assert_eq!(ambiguous.matches(&("-a".repeat(1_000) + "/")), None);
    let adjacent = template(&names.iter().map(|name| format!("{{+{name}}}")).collect::<String>());
    assert_eq!(adjacent.matches(&many[..2_000]).map(|found| found.len()), Some(1));
    let query = template(&format!("x{{?{}}}", names.join(",")));
    let uri = names.iter().rev().map(|name| format!("{name}=1")).collect::<Vec<_>>().join("&");
    assert_eq!(query.matches(&format!("x?{uri}")).map(|found| found.len()), Some(1_000));
    // One value that would have to stand in a thousand places.
    let same = template(&"{a}".repeat(1_000));
    assert_eq!(same.matches(&many[..2_000]), None);
}
