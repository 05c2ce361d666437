import type { IslandText } from '../../locales/index.ts';
import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';
import styles from './open-in-browser.module.css';

/** A single-use link, valid for 15 minutes. @throws the parsed refusal; an Error when the network fails */
export async function requestOtherBrowserLink(): Promise<string> {
  const { data } = await call<{ data: { link: string } }>('/users/me/other-browser-link', {
    body: {},
    bearer: $signup.get().token,
  });
  return data.link;
}

const apps =
  /\b(?:FBAN|FBAV|FB_IAB|Instagram|BytedanceWebview|musical_ly|TikTok|Snapchat|Pinterest|LinkedInApp|Twitter|Line\/|MicroMessenger|GSA\/)/;

/** The wallet that an in-app browser cannot offer, by user agent; null in a normal browser. */
export function isInAppBrowser(userAgent: string): 'apple' | 'google' | null {
  const webView = /Android.*; wv\)/.test(userAgent);
  if (!apps.test(userAgent) && !webView) return null;
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'apple';
  return /Android/.test(userAgent) ? 'google' : null;
}

type Props = {
  text: IslandText['wallet-buttons'];
  wallet: 'apple' | 'google';
  state: 'idle' | 'pending' | 'sent' | 'failed';
  onCopy: () => void;
};

export function OpenInBrowser({ text, wallet, state, onCopy }: Props) {
  return (
    <div className={`small row spread gap-12 ${styles.other}`}>
      <p role="status">
        {state === 'sent' ? text.copied : state === 'failed' ? text.failed : text[wallet]}
      </p>
      <button
        className={`small-button strong ${styles.copy}`}
        type="button"
        aria-busy={state === 'pending' || undefined}
        onClick={onCopy}
      >
        {text.copy}
      </button>
    </div>
  );
}
