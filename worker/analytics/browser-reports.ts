import { isScreenId } from '../experiments/rules/flows.ts';
import type { Log } from '../platform/log.ts';
import type { LogFields } from '../platform/log-fields.ts';
import { fieldsIn } from '../platform/read-json.ts';

export interface BrowserReport {
  type: string;
  url: string;
  body: Record<string, unknown>;
}

const reportTypes = new Set(['csp-violation', 'crash', 'deprecation', 'intervention']);
const crashes = new Set(['oom', 'unresponsive']);
const directives = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src'],
  ...['style-src-elem', 'style-src-attr', 'img-src', 'connect-src', 'frame-src', 'font-src'],
  ...['media-src', 'worker-src', 'manifest-src', 'object-src', 'base-uri', 'form-action'],
  ...['frame-ancestors', 'require-trusted-types-for', 'trusted-types'],
]);
const keywords = new Set([
  ...['inline', 'eval', 'wasm-eval', 'data', 'blob', 'self', 'about', 'chrome-extension'],
  ...['trusted-types-policy', 'trusted-types-sink'],
]);
const sink =
  /^(Element|ShadowRoot|Document|DOMParser|HTMLScriptElement|HTMLIFrameElement|Range|Window|Worker) (innerHTML|outerHTML|insertAdjacentHTML|write|writeln|parseFromString|src|text|textContent|innerText|srcdoc|createContextualFragment|setTimeout|setInterval|setAttribute|constructor)$/;
const policy = /^(?=.{1,60}$)[a-z]+([#/.-][a-z]+)+$/;
const feature = /^[A-Z][A-Za-z]{3,60}$/;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

export function parseReports(body: unknown): BrowserReport[] {
  const list: unknown[] = Array.isArray(body) ? body : [];
  const legacy = fieldsIn(fieldsIn(body)['csp-report']);
  const reports = list.map(fieldsIn).map(({ type, url, body: inner }) => ({
    type: textOf(type),
    url: textOf(url),
    body: fieldsIn(inner),
  }));
  if (Object.keys(legacy).length === 0) return reports;
  return [{ type: 'csp-violation', url: textOf(legacy['document-uri']), body: legacy }, ...reports];
}

const only = (list: ReadonlySet<string>, text: string) => (list.has(text) ? text : 'other');

function hostOf(address: string): string | undefined {
  const { protocol = '', hostname = '' } = URL.parse(address) ?? {};
  if (!/^(https?|wss?):$/.test(protocol)) return undefined;
  return /\d{5}|[^a-z\d.-]/.test(hostname) ? 'other' : hostname.slice(0, 80);
}

/** The refused host, or a keyword (`inline`, `eval`, `trusted-types-sink`). */
function refusedSource(body: Record<string, unknown>) {
  const blocked = textOf(body.blockedURL ?? body['blocked-uri']);
  const host = hostOf(blocked);
  if (host) return { vendor: host };
  const [sample = ''] = textOf(body.sample ?? body['script-sample']).split('|');
  const keyword = only(keywords, blocked.split(':', 1)[0] ?? '');
  const pattern = { 'trusted-types-policy': policy, 'trusted-types-sink': sink }[keyword];
  return { reason: pattern?.test(sample) ? `${keyword} ${sample}` : keyword };
}

function positionIn(body: Record<string, unknown>): string | undefined {
  const file = URL.parse(textOf(body.sourceFile ?? body['source-file']))?.pathname ?? '';
  const name = /^\/static\/js\/([\w.-]{1,80}\.js)$/.exec(file)?.[1];
  const line = Number(body.lineNumber ?? body['line-number']);
  const column = Number(body.columnNumber ?? body['column-number']);
  return name && `${name}:${line || 0}:${column || 0}`;
}

/** Names from closed lists, hosts, positions in our scripts. Paths, queries, fragments and samples stay out. */
export function reportFields({ type, url, body }: BrowserReport): LogFields {
  const screen = /^\/(\w+)$/.exec(URL.parse(url)?.pathname ?? '')?.[1];
  const common = {
    type: reportTypes.has(type) ? type : 'other',
    screen: screen && isScreenId(screen) ? screen : undefined,
    stack: positionIn(body),
  };
  if (type === 'crash') return { ...common, reason: only(crashes, textOf(body.reason)) };
  if (type !== 'csp-violation') {
    const id = textOf(body.id);
    return { ...common, feature: feature.test(id) ? id : 'other' };
  }
  const directive =
    body.effectiveDirective ?? body['effective-directive'] ?? body['violated-directive'];
  return {
    ...common,
    directive: only(directives, textOf(directive).split(' ', 1)[0] ?? ''),
    state: body.disposition === 'report' ? 'report' : 'enforce',
    ...refusedSource(body),
  };
}

export class Throttle {
  readonly #limit: number;
  readonly #windowMs: number;
  #windowStart = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  allows(now: number): boolean {
    if (now - this.#windowStart >= this.#windowMs) {
      this.#windowStart = now;
      this.#count = 0;
    }
    if (this.#count >= this.#limit) return false;
    this.#count += 1;
    return true;
  }
}

const maxReports = 10;

/** Log lines per isolate and minute; further reports are dropped. */
const throttle = new Throttle(60, 60_000);

/** @returns false if it dropped reports */
export function logReports(body: unknown, log: Log): boolean {
  const reports = parseReports(body).slice(0, maxReports);
  const logged = reports.filter(() => throttle.allows(Date.now()));
  for (const report of logged) {
    const isWarning = report.type === 'csp-violation' || report.type === 'crash';
    log(isWarning ? 'warn' : 'info', 'browser_report_received', reportFields(report));
  }
  return logged.length === reports.length;
}
