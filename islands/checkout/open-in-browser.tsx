import type { IslandText } from '../../locales/index.ts';
import { call } from '../runtime/api.ts';
import { sessionToken } from '../stores/signup.ts';
import type { RequestState } from '../ui/use-request-state.ts';
import styles from './open-in-browser.module.css';

/** A single-use link, valid for 15 minutes. @throws the parsed refusal; an Error when the network fails */
export async function requestOtherBrowserLink(): Promise<string> {
  const { data } = await call<{ data: { link: string } }>('/users/me/other-browser-link', {
    body: {},
    bearer: sessionToken(),
  });
  return data.link;
}

type Props = {
  text: IslandText['wallet-buttons'];
  wallet: 'apple' | 'google';
  state: RequestState;
  /** To select, where the clipboard is refused. */
  link: string;
  onCopy: () => void;
};

export function OpenInBrowser({ text, wallet, state, link, onCopy }: Props) {
  const done = link ? text.not_copied : text.copied;
  return (
    <div className={`small row spread gap-12 ${styles.other}`}>
      <p role="status">
        {state === 'sent' ? done : state === 'failed' ? text.failed : text[wallet]}
        {link && (
          <span className={`break ${styles.link}`} dir="ltr">
            {link}
          </span>
        )}
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
