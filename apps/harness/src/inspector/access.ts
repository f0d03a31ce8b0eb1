/**
 * [pure] Who may ask: what the headers of a request have to say (H14).
 * I1. A name that is not this server's is refused, whatever it resolves to: that is how other pages get in.
 * I2. A request of another page is refused, whatever it carries.
 */
export interface Binding {
  /** What it listens on, such as `127.0.0.1` or `0.0.0.0`. */
  readonly host: string;
  readonly port: number;
  /** Other names of this machine. */
  readonly names?: readonly string[];
}

const loopbackNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
const wildcards: readonly string[] = ['0.0.0.0', '::'];
const addressV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const addressV6 = /^\[[\da-f:.]+\]$/;

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** As it stands in a URL. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function isOwnHost(header: string | undefined, { host, port, names = [] }: Binding): boolean {
  const asked = header?.toLowerCase() ?? '';
  const tail = `:${port}`;
  // A browser leaves the port out where it is the usual one.
  const name = asked.endsWith(tail) ? asked.slice(0, -tail.length) : port === 80 ? asked : '';
  if (name === '') return false;
  if (loopbackNames.includes(name)) return isLoopback(host) || wildcards.includes(host);
  if (name === hostInUrl(host).toLowerCase()) return true;
  // An address cannot be pointed somewhere else, as a name can (I1).
  if (wildcards.includes(host)) return addressV4.test(name) || addressV6.test(name) || names.includes(name);
  return false;
}

export interface RequestFacts {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `sec-fetch-site` */
  readonly site: string | undefined;
  /** It asks for the page itself, and not for what the page loads. */
  readonly forPage: boolean;
}

/** What is wrong with where a request comes from. `host` was checked before. */
export function isOwnOrigin({ method, host, origin, site, forPage }: RequestFacts): boolean {
  if (origin !== undefined && origin !== `http://${host ?? ''}`) return false;
  const reads = method === 'GET' || method === 'HEAD';
  if (!reads && origin === undefined) return false;
  // A link of another page may lead here; nothing else of it may.
  return site === undefined || site === 'same-origin' || site === 'none' || (reads && forPage);
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** On every answer. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};
