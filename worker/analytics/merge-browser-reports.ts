import { isScreenId } from '../experiments/rules/flows.ts';
import type { LogFields } from '../log.ts';

/** One report of a browser, in either of the two forms that browsers send. */
export interface BrowserReport {
  type: string;
  /** The page that it is about. */
  url: string;
  body: Record<string, unknown>;
}

const types = new Set(['csp-violation', 'crash', 'deprecation', 'intervention']);
const crashes = new Set(['oom', 'unresponsive']);
const directives = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src'],
  ...['style-src-elem', 'style-src-attr', 'img-src', 'connect-src', 'frame-src', 'font-src'],
  ...['media-src', 'worker-src', 'manifest-src', 'object-src', 'base-uri', 'form-action'],
  ...['frame-ancestors', 'require-trusted-types-for', 'trusted-types'],
]);
/** What stands in an address’s place. */
const instead = new Set([
  ...['inline', 'eval', 'wasm-eval', 'data', 'blob', 'self', 'about', 'chrome-extension'],
  ...['trusted-types-policy', 'trusted-types-sink'],
]);
/** Who asks for HTML or script; the browser names it before the text that it was given. */
const sink =
  /^(Element|ShadowRoot|Document|DOMParser|HTMLScriptElement|HTMLIFrameElement|Range|Window|Worker) (innerHTML|outerHTML|insertAdjacentHTML|write|writeln|parseFromString|src|text|textContent|innerText|srcdoc|createContextualFragment|setTimeout|setInterval|setAttribute|constructor)$/;
/** A policy's name, such as `vendor#html`. */
const policy = /^(?=.{1,60}$)[a-z]+([#/.-][a-z]+)+$/;
/** What browsers call what they give up, such as `UnloadHandler`. */
const given = /^[A-Z][A-Za-z]{3,60}$/;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The reports of a body: a list of them, or one in the older form. Everything else is none. */
export function parseReports(body: unknown): BrowserReport[] {
  const list: unknown[] = Array.isArray(body) ? body : [];
  const old = recordOf(recordOf(body)['csp-report']);
  const reports = list.map(recordOf).map(({ type, url, body: inner }) => ({
    type: textOf(type),
    url: textOf(url),
    body: recordOf(inner),
  }));
  if (Object.keys(old).length === 0) return reports;
  return [{ type: 'csp-violation', url: textOf(old['document-uri']), body: old }, ...reports];
}

/** A text that is on a list or of a form; else what stands for all others. */
const only = (list: ReadonlySet<string>, text: string) => (list.has(text) ? text : 'other');

/** The host of an address; never its path, query or fragment. */
function hostOf(address: string): string | undefined {
  const { protocol = '', hostname = '' } = URL.parse(address) ?? {};
  if (!/^(https?|wss?):$/.test(protocol)) return undefined;
  return /\d{5}|[^a-z\d.-]/.test(hostname) ? 'other' : hostname.slice(0, 80);
}

/** What was refused: its host, or what stands for it (`inline`, `eval`, `trusted-types-sink`). */
function refusedBy(body: Record<string, unknown>) {
  const blocked = textOf(body.blockedURL ?? body['blocked-uri']);
  const host = hostOf(blocked);
  if (host) return { vendor: host };
  const [sample = ''] = textOf(body.sample ?? body['script-sample']).split('|');
  const keyword = only(instead, blocked.split(':', 1)[0] ?? '');
  const form = { 'trusted-types-policy': policy, 'trusted-types-sink': sink }[keyword];
  return { reason: form?.test(sample) ? `${keyword} ${sample}` : keyword };
}

/** Where in our own files it happened. */
function placeIn(body: Record<string, unknown>): string | undefined {
  const file = URL.parse(textOf(body.sourceFile ?? body['source-file']))?.pathname ?? '';
  const name = /^\/static\/js\/([\w.-]{1,80}\.js)$/.exec(file)?.[1];
  const line = Number(body.lineNumber ?? body['line-number']);
  const column = Number(body.columnNumber ?? body['column-number']);
  return name && `${name}:${line || 0}:${column || 0}`;
}

/**
 * What may be logged of a report: names out of closed forms, hosts, and places in our own files. Of
 * addresses neither path nor query nor fragment is kept, of samples nothing.
 */
export function fieldsOf({ type, url, body }: BrowserReport): LogFields {
  const screen = /^\/(\w+)$/.exec(URL.parse(url)?.pathname ?? '')?.[1];
  const about = {
    type: types.has(type) ? type : 'other',
    screen: screen && isScreenId(screen) ? screen : undefined,
    stack: placeIn(body),
  };
  if (type === 'crash') return { ...about, key: only(crashes, textOf(body.reason)) };
  if (type !== 'csp-violation') {
    const id = textOf(body.id);
    return { ...about, key: given.test(id) ? id : 'other' };
  }
  const told = body.effectiveDirective ?? body['effective-directive'] ?? body['violated-directive'];
  return {
    ...about,
    key: only(directives, textOf(told).split(' ', 1)[0] ?? ''),
    state: body.disposition === 'report' ? 'report' : 'enforce',
    ...refusedBy(body),
  };
}
