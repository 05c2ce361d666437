import type { IslandText } from '../../locales/index.ts';
import type { Page } from '../../worker/rendering/page-types.ts';
import { adsAllowed } from '../stores/consent.ts';
import { $events } from '../stores/events.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import styles from './app-stores.module.css';
import type { Platform } from './platform.ts';

/** Store URLs for a device. On a phone, with ad consent, the OneLink replaces them so that the install is attributed. */
export function appStoreLinks(stores: Page['stores'], platform: Platform): Page['stores'] {
  const { AF_SMART_SCRIPT: link } = $events.get().eventsData;
  if (platform === 'desktop' || typeof link !== 'string' || !adsAllowed()) return stores;
  return { ...stores, [platform]: link };
}

/** Without the app its URL does nothing, so the store opens after this time. */
const launchTimeoutMs = 1500;

export function launchApp(scheme: string, code: string, store: string): void {
  const openStore = setTimeout(() => {
    if (store && document.visibilityState === 'visible') location.href = store;
  }, launchTimeoutMs);
  // The app opens, perhaps behind a question of the browser, and may be left again within that time.
  const opened = () => clearTimeout(openStore);
  // Not captured: a field's `blur` is no sign of it.
  for (const type of ['visibilitychange', 'pagehide', 'blur'])
    addEventListener(type, opened, { once: true });
  location.href = `${scheme}://d#${code}`;
}

function StoreBadge({ href, small, name }: { href: string; small: string; name: string }) {
  return (
    <a className={`row gap-12 ${styles.badge}`} href={href} rel="noreferrer">
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <path
          d="M12 4v11m-5-5 5 5 5-5M5 20h14"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className="stack">
        <span className={styles.small}>{small}</span>{' '}
        <span className={`strong ${styles.name}`}>{name}</span>
      </span>
    </a>
  );
}

const names = { apple: 'App Store', google: 'Google Play' };

/** Labels of the badges, and sentences shown if a URL is not configured. */
export type StoreText = Pick<
  IslandText['open-app'],
  'apple_small' | 'google_small' | 'no_store_apple' | 'no_store_google' | 'no_stores'
>;

type Props = {
  text: StoreText;
  stores: Page['stores'];
  platform: Platform;
};

/** The stores for a device, or a sentence if their URLs are not configured. */
export function AppStores({ text, stores, platform }: Props) {
  const ofDevice = (['apple', 'google'] as const).filter(
    (name) => platform === name || platform === 'desktop',
  );
  const known = ofDevice.filter((name) => stores[name]);
  if (known.length === 0) {
    const [only] = ofDevice;
    return <p>{ofDevice.length === 1 && only ? text[`no_store_${only}`] : text.no_stores}</p>;
  }
  return (
    <div className={styles.row}>
      {known.map((name) => (
        <StoreBadge
          key={name}
          href={stores[name]}
          small={text[`${name}_small`]}
          name={names[name]}
        />
      ))}
    </div>
  );
}

export function OpenOnPhone({
  onOpen,
  ...links
}: Props & { text: IslandText['open-app']; onOpen: () => void }) {
  const { text, stores } = links;
  return (
    <>
      {stores.scheme && (
        <div className="stack gap-8">
          <ContinueButton label={text.open} type="button" onClick={onOpen} />
          <p className="note">{text.tap}</p>
        </div>
      )}
      <div className="stack gap-8">
        <h2>{text.get}</h2>
        <AppStores {...links} />
        <p className="note">{stores.scheme ? text.then : text.again_here}</p>
      </div>
    </>
  );
}
