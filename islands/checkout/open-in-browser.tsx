import { useState } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import { call } from '../runtime/api.ts';
import { sessionToken } from '../stores/signup.ts';
import { copyAsync } from '../ui/copy-async.ts';
import { useRequestState } from '../ui/use-request-state.ts';
import styles from './open-in-browser.module.css';

/** A single-use link, valid for 15 minutes. @throws the parsed refusal; an Error when the network fails */
async function requestOtherBrowserLink(): Promise<string> {
  const { data } = await call<{ data: { link: string } }>('/users/me/other-browser-link', {
    body: {},
    bearer: sessionToken(),
  });
  return data.link;
}

type Props = {
  text: IslandText['wallet-buttons'];
  wallet: 'apple' | 'google';
};

export function OpenInBrowser({ text, wallet }: Props) {
  const [link, setLink] = useState('');
  const [state, copy] = useRequestState(async () => {
    const made = requestOtherBrowserLink();
    await copyAsync(made).catch(async () => setLink(await made));
  });
  const name = wallet === 'apple' ? 'Apple Pay' : 'Google Pay';
  const invitation = interpolate(text.browser, { wallet: name });
  const done = link ? text.not_copied : text.copied;
  return (
    <div className={`small row spread gap-12 ${styles.other}`}>
      <p role="status">
        {state === 'sent' ? done : state === 'failed' ? text.no_link : invitation}
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
        onClick={copy}
      >
        {text.copy}
      </button>
    </div>
  );
}
