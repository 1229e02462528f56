/** Expressions whose values, errors and compile errors are recorded, all evaluated with the same `self`. */
import type { Json } from "../../packages/core/src/meta/json.ts";
import type { StructuralSchema } from "../../packages/core/src/schema/structural.ts";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;

/** The schema of `self`. */
export const celSchema: StructuralSchema = {
  type: "object",
  properties: {
    a: integer,
    s: text,
    l: { type: "array", items: { type: "object", properties: { n: text } } },
    m: { type: "object", additionalProperties: integer },
    o: { type: "object", properties: { x: text } },
    ios: { "x-kubernetes-int-or-string": true },
    namespace: text,
    "a-b": text,
    set: { type: "array", "x-kubernetes-list-type": "set", items: text },
    opt: integer,
    objs: { type: "array", items: { type: "object", properties: { x: text, y: integer } } },
    nul: { type: "object", nullable: true },
    t: { type: "string", format: "date-time" },
    d: { type: "string", format: "duration" },
    by: { type: "string", format: "byte" },
    n: { type: "number" },
    list: { type: "array", items: text },
    maplist: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", properties: { name: text, v: integer } },
    },
  },
};

/** `self`. */
export const celObject: Json = {
  a: 1,
  s: "abc",
  l: [{ n: "x" }, { n: "y" }],
  m: { k: 1 },
  o: { x: "1" },
  ios: 5,
  namespace: "n",
  "a-b": "q",
  set: ["a", "b"],
  objs: [{ x: "1", y: 2 }, { x: "2" }, {}],
  nul: null,
  t: "2020-01-01T00:00:00Z",
  d: "1h30m",
  by: "aGVsbG8=",
  n: 2,
  list: ["a", "b"],
  maplist: [
    { name: "a", v: 1 },
    { name: "b", v: 2 },
  ],
};

/** One expression per line. */
export const celExpressions: readonly string[] = String.raw`
self.
self.foo
self.a + 's'
foo
self.s.foo()
foo(1)
self.l.all(x, x.n == 1)
self.l.all(x, x.foo == 1)
1 +
(1
self.a ? 1 : 2
[1, 'a']
{1: 'a', 'b': 2}
self.s.matches('(')
duration('x')
timestamp('x')
self.l.all(1, true)
self.l[0].n == 'x'
self.m.k + self.m['z']
self.o.y
self.l[5]
self.a / 0
9223372036854775807 + 1
self.ios + 'a'
self.ios == 5
type(self.ios) == int
has(self.o.x)
has(self.zz)
has(self)
self.__namespace__
self.a__dash__b
self.set + ['c']
self.set + ['a', 'd']
self.set == ['b','a']
1 == 1.0
1 == 'a'
dyn(1) == 'a'
dyn(1) == 1.0
self.?o.?x.orValue('z')
self.?o.?x.optMap(v, v + '!').orValue('z')
optional.of(1)
[1,?optional.none()]
self.l.map(x, x.n)
self.m.map(k, k)
self.l.transformList(i, v, i)
"%s %d".format(["a", 1])
self == self
self.l == self.l
true && self.a
!self.a
-self.s
self.a in [1,2]
'k' in self.m
'x' in self.o
size(self.s)
self.s.size()
string(1.0)
int('x')
self.s[0]
b'abc'
a.b.c
self.l.exists(x, y, z)
1u + 1
self.s < 5
cel.bind(x, 1, x)
math.greatest(1,2)
timestamp('2020-01-01T00:00:00Z').getHours()
Foo{a: 1}
"a" + 1u
self.l.map(x, x)
self.l.sum()
[].max()
self.s.indexOf('z')
has(self.l[0].n)
self.oo.all(x, true)
for
self.for
self.a == null
self.o == null
null == self.o
quantity('x')
quantity('1.5Gi').isInteger()
quantity('1.5Gi').asInteger()
quantity('1500m').asInteger()
quantity('1').add(2)
quantity('1Gi').add(quantity('1Mi'))
quantity('1500m').asApproximateFloat()
quantity('1k') == quantity('1000')
sign(quantity('-1'))
quantity('-1').sign()
quantity('1').compareTo(quantity('2'))
ip('x')
ip('01.2.3.4')
ip('::ffff:1.2.3.4')
ip('fe80::1%eth0')
ip('::1').family()
ip.isCanonical('::0001')
ip.isCanonical('x')
ip('127.0.0.1').isLoopback()
string(ip('1:0:0:0:0:0:0:1'))
isIP('1.2.3')
cidr('x')
cidr('10.0.0.1/8').masked()
cidr('10.0.0.0/8').containsIP('10.1.1.1')
cidr('10.0.0.0/8').containsIP('x')
cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')
cidr('10.0.0.0/8').ip()
cidr('::ffff:10.0.0.0/104')
isCIDR('10.0.0.0/33')
string(cidr('10.0.0.0/8'))
url('not a url')
url('http://u:p@h.com:80/a%20b?x=1&x=2&y=#f')
url('http://u:p@h.com:80/a%20b?x=1&x=2&y=').getQuery()
url('https://[::1]:80/').getHostname()
url('https://[::1]:80/').getHost()
url('https://example.com/a%2Fb c').getEscapedPath()
url('/a').getScheme()
url('http://h:80/').getPort()
isURL('http://a b')
semver('1.2')
semver('v1.2', true)
semver('01.2.3', true)
semver('1.2.3-rc.1+b').isLessThan(semver('1.2.3'))
semver('1.2.3').major()
isSemver('v1.0.0')
semver('x')
format.named('dns1123Label').value().validate('a')
format.named('nope')
format.uri().validate('x')
format.uuid().validate('x')
format.byte().validate('x')
format.date().validate('x')
format.datetime().validate('x')
format.labelValue().validate('-')
format.qualifiedName().validate('a b')
format.dns1123LabelPrefix().validate('a-')
format.dns1035Label().validate('1')
format.dns1123Subdomain().validate('A.b')
"%s".format([semver('1.2.3')])
"%d".format(["x"])
"%z".format([1])
"%s".format([])
"%.2f %e %x %X %o %b %s".format([1.234, 1234.5, 255, 'hi', 8, 5, [1, 'a']])
"%s".format([{'a': 1.0, 'b': true}])
"%s %s".format([timestamp('2020-01-01T00:00:00Z'), duration('90m')])
string(duration('1h30m'))
string(timestamp('2020-01-01T00:00:00.5+01:00'))
timestamp('2020-01-01T00:00:00Z') - timestamp('2019-01-01T00:00:00Z')
duration('1h').getMinutes()
'a,b,c'.split(',', 2)
'abc'.substring(1, 9)
'tacocat'.indexOf('a', 9)
'x'.charAt(5)
[3,1,2].sort()
[3,1,2].sortBy(x, -x)
[[1],[2,3]].flatten()
[1,[2,[3]]].flatten(2)
[1,1,2].distinct()
[1,2,3].slice(1,2)
[1,2,3].slice(2,1)
[1,2,3].slice(0,9)
lists.range(3)
[1,2].reverse()
sets.contains([1,2],[1])
'abc 123'.find('[0-9]+')
'a1b2'.findAll('[0-9]', 1)
'abc'.matches('b')
{'a': 1}.transformMap(k, v, v + 1)
{'a': 1}.transformMapEntry(k, v, {v: k})
{'a': 1, 'a': 2}
[1,2].exists_one(x, x > 1)
[1,2].existsOne(i, v, v > 1)
[1,2].existsOne(v, v > 1)
optional.of(1).optMap(x, x + 1)
optional.none().orValue(3)
optional.none().value()
optional.ofNonZeroValue(0)
{?'a': optional.none(), 'b': 2}
self.l[?5].hasValue()
self.l[?0].?n
uint(-1)
int(1e30)
2u - 3u
-(-9223372036854775808)
double('x')
bytes('é')
string(b'\xff')
bool('x')
1.0 / 0.0
5 % 0
'a' < 'b'
timestamp('2020-01-01T00:00:00Z').getDayOfWeek('America/New_York')
dyn(1) < 'a'
true || 1/0 == 1
1/0 == 1 || true
[1,2].all(x, 1/0 == 1 || x > 0)
[1, 0].exists(x, 1/x == 1)
type(1) == int && type([]) == list && type(null) == null_type
google.protobuf.Timestamp == type(timestamp('2020-01-01T00:00:00Z'))
'é😀'.size() + 'é😀'.indexOf('😀')
'\u00e9' == 'é' && b'\303\251' == b'é' && r'\d' == '\\d'
0x1F + 1
1e3
.5 + 1.5
[1,2,3].map(x, x > 1, x * 2)
self.l.filter(x, x.n > 'x').size() == 1
self.l.map(x, x.n).join(',')
self.l.exists_one(x, x.n == 'x')
self.m.all(k, self.m[k] > 0)
self.m.exists(k, v, v == 1 && k == 'k')
self.l.all(i, v, i < 2 && v.n != '')
self.ios > 3
self.ios < 'a'
string(self.ios) == '5'
self.s + self.s == 'abcabc'
self.a * 2 - 1 == 1
self.a % 2 == 1
self.a > 0.5
self.a >= 1u
self.a == 1u
self.opt
has(self.opt)
!has(self.opt) || self.opt > 3
self.?opt.hasValue()
self.?opt.orValue(7)
self.objs.all(o, has(o.x) || !has(o.y))
self.objs.map(o, o.?x.orValue('none'))
self.objs.exists(o, o.y == 2)
self.objs[1].y
self.nul == null
self.t > timestamp('2019-01-01T00:00:00Z')
self.t + duration('1h') == timestamp('2020-01-01T01:00:00Z')
self.t.getFullYear() == 2020
self.d < duration('2h')
self.d == duration('90m')
self.by == b'hello'
self.n + 0.5
self.n == 2.0
self.n == 2
double(self.a) == self.n - 1.0
self.maplist == [{'name': 'b', 'v': 2}, {'name': 'a', 'v': 1}]
self.list == ['b', 'a']
self.list == ['a', 'b']
self.list.isSorted()
self.list.indexOf('b')
self.list.lastIndexOf('z')
self.list.min() + self.list.max()
[1, 2, 3].sum() == 6
[1.5, 2.5].sum()
[duration('1h'), duration('30m')].sum() == duration('90m')
['a', 'b'].sum()
self.list.filter(x, x in ['a', 'q'])
self.list.map(x, x.upperAscii())
'a-b-c'.replace('-', '')
'a-b-c'.replace('-', '', 1)
' x '.trim() + '|'
'AbC'.lowerAscii()
'hello'.substring(1, 3)
'hello'.substring(5)
'hello'.charAt(4)
'hello'.lastIndexOf('l')
'hello'.lastIndexOf('l', 2)
'hello'.contains('ell') && 'hello'.startsWith('he') && 'hello'.endsWith('lo')
'a.b.c'.split('.')
''.split(',')
strings.quote('a"b')
sets.equivalent([1, 2], [2, 1, 1])
sets.intersects([1, 2], [3])
[1, 2] + [3]
[[1, 2], [3]].map(l, l.size())
{'a': 1, 'b': 2}.map(k, k).size()
{'a': 1}['a'] + {'a': 2}.a
{'a': 1}.b
{1: 'x'}[1u]
1 in {1: 2}
'a' in ['b', 'a']
[1, 2, 3].all(x, x > 0) && ![1, 2].exists(x, x > 5)
[1, 2, 3].filter(x, x % 2 == 1).map(x, x * 10)
[3, 1, 2].sortBy(x, x)
['bb', 'a'].sortBy(s, s.size())
(1 < 2) == true
1 < 2 ? 'y' : 'n'
!(true && false) || false
-5 - -3
7 / 2 * 2 + 7 % 2
-7 / 2
-7 % 2
0.1 + 0.2
1.0e10
1e100
int(3.7) + int(-3.7)
int('42') + int(uint(3))
uint('7') + 1u
double('1.5') * 2.0
string(123) + string(true) + string(2u)
string(1.5)
string(1e10)
bool('true')
bytes('abc') + b'd'
size(b'abc') + size([1]) + size({'a': 1}) + size('é')
type(1u) == uint && type(1.0) == double && type('') == string && type(b'') == bytes
type(true) == bool && type({}) == map && type(type(1)) == type
timestamp('2020-02-29T12:34:56.789Z').getMilliseconds()
timestamp('2020-02-29T12:34:56Z').getDayOfYear()
timestamp('2020-02-29T12:34:56Z').getDate() + timestamp('2020-02-29T12:34:56Z').getDayOfMonth()
timestamp('2020-02-29T23:34:56Z').getHours('+02:00')
timestamp('2020-01-01T00:00:00Z') < timestamp('2020-01-01T00:00:01Z')
timestamp(0) == timestamp('1970-01-01T00:00:00Z')
int(timestamp('1970-01-01T00:01:00Z'))
timestamp('2020-01-01T00:00:00Z') - duration('1h') == timestamp('2019-12-31T23:00:00Z')
duration('1h') + duration('1m') > duration('1h')
duration('3661s').getHours() + duration('3661s').getMinutes() + duration('1.5s').getMilliseconds()
duration('-1.5h') == -duration('1.5h')
timestamp('2020-01-01T00:00:00Z') + 1
duration('1h') < 5
9223372036854775807 * 2
-9223372036854775808 - 1
18446744073709551615u + 1u
9223372036854775808
99999999999999999999u
1 / 0 == 1 && false
[1, 2].map(x, 1 / (x - 1))
[0, 1].all(x, 1 / x > 0)
[0, 1].exists(x, 1 / x > 0)
optional.of(1) == optional.of(1)
optional.none() == optional.none()
optional.of(1).or(optional.of(2)).value()
optional.none().or(optional.of(2)).value()
optional.of([1]).optFlatMap(x, x[?5]).hasValue()
self.l[?0].n
self.?l[0].n.orValue('q')
[optional.of(1), optional.none()].unwrapOpt()
{?'a': optional.of(1)}.a
self.o.?x.hasValue()
self.?zz
self.s.?x
url('https://user@example.com:8080/p/a?q=1#f').getHost()
url('https://example.com/p').getPort() == ''
url('https://example.com/a b').getEscapedPath()
url('HTTPS://example.com').getScheme()
isURL('../rel') || isURL('http://')
ip('192.168.0.1').family() == 4 && !ip('192.168.0.1').isLoopback()
ip('169.254.1.1').isLinkLocalUnicast() && ip('224.0.0.1').isLinkLocalMulticast() && ip('8.8.8.8').isGlobalUnicast()
ip('fe80::1').isLinkLocalUnicast() && ip('::').isUnspecified() && ip('ff02::1').isLinkLocalMulticast()
ip('2001:db8::1') == ip('2001:0DB8:0::1')
string(ip('2001:db8:0:0:1:0:0:1'))
cidr('192.168.0.0/16').containsIP(ip('192.168.1.1')) && !cidr('192.168.0.0/16').containsIP('10.0.0.1')
cidr('192.168.0.0/16').containsCIDR(cidr('192.168.1.0/24')) && !cidr('192.168.1.0/24').containsCIDR('192.168.0.0/16')
cidr('2001:db8::/32').prefixLength()
cidr('10.1.2.3/8').ip() == ip('10.1.2.3')
cidr('10.0.0.0/8') == cidr('10.0.0.0/8').masked()
quantity('100Mi').isLessThan(quantity('1Gi')) && quantity('1').isGreaterThan(quantity('999m'))
quantity('1Gi').sub(quantity('1Mi')).compareTo(quantity('1023Mi'))
quantity('50k').asInteger() == 50000
quantity('0.5').asApproximateFloat() == 0.5
isQuantity('1.5Gi') && !isQuantity('1.5Gx')
sign(quantity('0'))
quantity('2').add(3).sub(1) == quantity('4')
semver('1.2.3').isLessThan(semver('1.10.0')) && semver('2.0.0').isGreaterThan(semver('1.9.9'))
semver('1.0.0-alpha').compareTo(semver('1.0.0-alpha.1'))
semver('1.0.0-alpha.10').compareTo(semver('1.0.0-alpha.9'))
semver('1.2.3').minor() + semver('1.2.3').patch()
isSemver('1.2.3-rc.1+build.5') && !isSemver('1.2') && isSemver('v1', true)
semver('01.2.3')
semver('')
semver('1.2.x')
format.dns1123Label().validate('ok').hasValue()
!format.named('dns1123Subdomain').value().validate('a.b').hasValue()
format.dns1123Label().validate('a'.split('').map(x, x).join('')).orValue(['none'])
'aaa'.matches('^a+$') && !'b'.matches('a') && matches('xay', 'a')
'x'.matches(self.s)
'abc'.matches('(?i)ABC')
'foo123bar45'.findAll('[0-9]+')
'foo'.find('[0-9]+') == ''
lists.range(0)
[1, 2, 3, 4].slice(0, 2).reverse()
[[1, 2], [3]].flatten()
['b', 'a', 'b'].distinct().sort()
'%d items, %s'.format([3, 'ok'])
'%s'.format([1.5])
'%s'.format([2.0])
'%s'.format([[1.5, 'x', true, null]])
'%s'.format([b'abc'])
'%s'.format([type(1)])
'%f'.format([1.5])
'%.3f'.format([2])
'%x'.format(['hi'])
'%b'.format([true])
'%d'.format([1.5])
'%%'.format([])
'%s'.format([null])
// comment
1 // one
'a' 'b'
1 2
self.l.all(x, x.n
[1, 2
{'a' 1}
self..a
self.a.
a ? b
(
)
self.l.all(x)
self.l.map(x, y, z, w)
self.l.all(x, 1)
self.a.all(x, true)
self.l.exists_one(x, 1)
[1] + ['a']
[1] == ['a']
{'a': 1} == {'a': 'x'}
self.l + [1]
self.o + self.o
self.m + self.m
size(1)
size()
self.s.startsWith(1)
self.s.startsWith()
startsWith('a', 'b')
self.a.startsWith('x')
int(self.l)
self.l[0].n[0]
self.l['a']
self.m[1]
self.a.b
self.a.b.c
self.?a.b
self.s.contains(self.a)
has(self.a.b)
has(self.l[0])
self.l.filter(x, x.n)
self.o.x ? 1 : 2
true ? 1 : 'a'
self.a && true
self.s || false
undefined_var.field == 1
self.l.all(y, undefined_var == y.n)
true == 1
'a' in 'abc'
1 in self.o
quantity(1)
ip(1)
url('http://a').foo()
optional.of(1) + 1
optional.foo(1)
self.d + 1
self.t + self.t
timestamp(1.5)
quantity('1.0').isInteger()
quantity('1000m').isInteger()
quantity('500m').add(quantity('500m')).isInteger()
quantity('1Gi').isInteger()
quantity('1e3').isInteger()
'hello'.lastIndexOf('l', 9)
'hello'.indexOf('', 9)
'hello'.indexOf('l', -1)
'hello'.charAt(5)
'%s'.format([[1.0,2.5]])
'%s'.format([{'b': 'x', 'a': [1]}])
'%s'.format([[null, b'ab', duration('1s'), timestamp('2020-01-01T00:00:00Z'), type(1), 1u]])
'%e'.format([1234.5])
'%.1e'.format([0.00012])
'%x %o %b'.format([-255, -8, -5])
'%f'.format([1.0/0.0])
string(timestamp('2020-01-01T00:00:00+02:00') + duration('1h'))
self.ios.size()
self.ios.startsWith('a')
self.ios.substring(1)
self.ios.all(x, true)
self.ios[0]
self.ios.x
dyn(self.l).n
dyn([1])[true]
'a' in self.ios
!self.ios
dyn(1) && true
self.ios ? 1 : 2
int(dyn([1]))
self.ios.getHours()
sets.contains(self.ios, [1])
self.ios.orValue(1)
[1, dyn(2)]
[[], [1]]
[self.o, null]
[null, 1]
!-1
!!true
--1
2--1
-dyn(5)
duration(1)
duration(dyn(1))
self.m && self.d * self.n.exists(x, true).find('a')
0 * bytes('a') + self.?opt
[1,2].map(x, x, x)
dyn([1]) % 2u.filter(x, true)
`
  .trim()
  .split("\n");
