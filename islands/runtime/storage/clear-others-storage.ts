import type { Kind } from './state-storage.ts';

/** Cookies and storage entries that the visit, its payment or the consent choice needs. */
const essential =
  /^(consent|userUuid|lng|(__Host-)?carry|g_state|__stripe_[ms]id|__paypal_storage__)$/;

/** Ad networks set cookies for the whole domain, so each parent domain is cleared. */
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

/** Deletes all non-essential cookies and storage entries that scripts can reach. */
export function clearOthersStorage(): void {
  for (const cookie of document.cookie.split('; ')) {
    const [name = ''] = cookie.split('=', 1);
    if (name && !essential.test(name)) forgetCookie(name);
  }
  forgetEntries('localStorage');
  forgetEntries('sessionStorage');
}
