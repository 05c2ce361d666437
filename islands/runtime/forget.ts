import type { Kind } from './shelf.ts';

/** Names of cookies and of entries that the visit, its payment or the choice itself can not do without. */
const essential =
  /^(consent|userUuid|lng|(__Host-)?carry|g_state|__stripe_[ms]id|__paypal_storage__)$/;

/** Networks set theirs for the whole domain, so that each domain above us has to be named. */
function forgetCookie(name: string): void {
  const labels = location.hostname.split('.');
  const domains = labels.slice(0, -1).map((_, at) => `; Domain=${labels.slice(at).join('.')}`);
  for (const domain of ['', ...domains]) {
    document.cookie = `${name}=; Max-Age=0; Path=/${domain}`;
  }
}

function forgetEntries(kind: Kind): void {
  try {
    const storage = window[kind];
    for (const key of Object.keys(storage)) if (!essential.test(key)) storage.removeItem(key);
  } catch {}
}

/** Deletes what is not essential of all that script can reach, whoever stored it. */
export function forgetOthers(): void {
  for (const cookie of document.cookie.split('; ')) {
    const [name = ''] = cookie.split('=', 1);
    if (name && !essential.test(name)) forgetCookie(name);
  }
  forgetEntries('localStorage');
  forgetEntries('sessionStorage');
}
