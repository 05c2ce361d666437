/** The script of every network; its URL determines which one. */
const script = document.currentScript as HTMLScriptElement;
const here = new URL(script.src);
const page = window as unknown as Record<string, unknown>;

/** Another vendor host: its own, or under `/fakes/` on our origin. */
const at = (host: string) =>
  here.pathname.startsWith('/fakes/') ? `${here.origin}/fakes/${host}` : `https://${host}`;

function send(address: string, data: Record<string, unknown>): void {
  const [host = '', ...path] = address.split('/');
  const texts = Object.entries(data).map(([key, value]) => [key, String(value)]);
  const query = new URLSearchParams(Object.fromEntries(texts));
  new Image().src = `${at(host)}/${path.join('/')}?${query}`;
}

/** Sets a cookie for months, unless it exists. */
function setCookie(name: string, value: string): void {
  if (document.cookie.includes(`${name}=`)) return;
  document.cookie = `${name}=${value}; Path=/; Max-Age=7776000; SameSite=Lax`;
}

/** Meta sets no cookies here, as in strict browsers. */
function meta(): void {
  type Call = [verb: string, ...rest: unknown[]];
  const fbq = page.fbq as { queue: Call[]; callMethod?: (...call: Call) => void };
  const run = (...[verb, , name, data, options]: Call) => {
    if (!verb.startsWith('trackSingle')) return;
    const { eventID } = options as { eventID: string };
    send('www.facebook.com/tr', { name, event: eventID, ...(data as object) });
  };
  fbq.callMethod = run;
  for (const call of fbq.queue.splice(0)) run(...call);
}

function tiktok(): void {
  type Track = [verb: string, name: string, data: object, options: { event_id: string }];
  const ttq = page.ttq as Track[] & Record<string, unknown>;
  const track = (name: string, data: object, { event_id }: Track[3]) =>
    send('analytics.tiktok.com/api/v2/pixel', { name, event: event_id, ...data });
  // TikTok sets its cookie some time after its script has loaded.
  setTimeout(setCookie, 700, '_ttp', 'ttp.fake.1');
  for (const [verb, ...rest] of ttq.splice(0)) if (verb === 'track') track(...rest);
  ttq.track = track;
}

function gtag(): void {
  type Command = [verb: string, name: string, data: { transaction_id: string; send_to?: string }];
  const dataLayer = page.dataLayer as ArrayLike<unknown>[];
  const [verb, mode] = Array.from(dataLayer[0] ?? []);
  if (verb !== 'consent' || mode !== 'default') {
    throw new Error('the fake of Google’s tag needs the default consent first');
  }
  const run = (command: ArrayLike<unknown>) => {
    const [verb, name, data] = Array.from(command) as Command;
    if (verb === 'config') {
      setCookie('_ga', 'GA1.1.111.222');
      const [, container] = /^G-(\w+)/.exec(name) ?? [];
      // Google's parts have no fixed order: votus.com.ua/ga4-new-cookie-format
      if (container) setCookie(`_ga_${container}`, 'GS2.1.g0$s1700000000$o1$t1700000000$j60$l0$h0');
    }
    if (verb !== 'event') return;
    const { transaction_id: event, send_to = '' } = data;
    const ads = name === 'conversion' && send_to.startsWith('AW-');
    const address = ads
      ? 'www.googleadservices.com/pagead/conversion'
      : 'www.google-analytics.com/g/collect';
    send(address, { ...data, name, event });
  };
  for (const command of dataLayer) run(command);
  dataLayer.push = (...commands) => {
    commands.forEach(run);
    return 0;
  };
}

/**
 * Clarity sets no cookie before it gets a consent signal:
 * learn.microsoft.com/en-us/clarity/setup-and-installation/cmp-integration-guide
 */
function clarity(): void {
  type Call = readonly [verb: string, data?: { analytics_Storage?: string }];
  const run = ([verb, data]: Call) => {
    if (verb !== 'consentv2') return;
    if (data?.analytics_Storage === 'granted') setCookie('_clck', 'heatmap.fake');
    else document.cookie = '_clck=; path=/; max-age=0';
  };
  const queue = (page.clarity as { q?: Call[] } | undefined)?.q ?? [];
  page.clarity = (...call: Call) => run(call);
  for (const call of queue) run(call);
}

function onelink(): void {
  interface Options {
    oneLinkURL: string;
    afParameters: { mediaSource: { keys: string[]; defaultValue: string } };
  }
  const generateOneLinkURL = ({ oneLinkURL, afParameters: { mediaSource } }: Options) => {
    const query = new URLSearchParams(location.search);
    const [key = ''] = mediaSource.keys;
    const pid = query.get(key) ?? mediaSource.defaultValue;
    return { clickURL: `${oneLinkURL}?${new URLSearchParams({ af_js_web: 'true', pid })}` };
  };
  page.AF_SMART_SCRIPT = { generateOneLinkURL };
}

const networks: Record<string, () => void> = {
  'connect.facebook.net': meta,
  'analytics.tiktok.com': tiktok,
  'www.googletagmanager.com': gtag,
  'www.clarity.ms': clarity,
  'onelinksmartscript.appsflyer.com': onelink,
  'websdk.appsflyer.com': () => setTimeout(setCookie, 700, 'afUserId', 'appsflyer-fake-1'),
};
Object.entries(networks).find(([host]) => here.href.includes(`/${host}/`))?.[1]();

export {};
