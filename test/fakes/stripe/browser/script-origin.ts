/** The origins of the fake's scripts, frames and API. */
export interface Origins {
  /** Up to and including the host: `https://js.stripe.com` or `http://localhost:8787/fakes/js.stripe.com`. */
  js: string;
  api: string;
}

/** The place of a script by its address, which holds `js.stripe.com` as host or in its path. */
export function originsOf(source: string): Origins {
  const host = 'js.stripe.com';
  const at = source.indexOf(host);
  if (at < 0) throw new Error(`the fake Stripe.js was loaded from ${source}`);
  const js = source.slice(0, at + host.length);
  return { js, api: `${js.slice(0, -host.length)}api.stripe.com/v1` };
}
