import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/**
 * Creates a single-use link, valid for 15 minutes, that continues this checkout in another browser.
 *
 * @throws the parsed refusal; an Error when the network fails
 */
export async function requestOtherBrowserLink(): Promise<string> {
  const { data } = await call<{ data: { link: string } }>('/users/me/other-browser-link', {
    body: {},
    bearer: $signup.get().token,
  });
  return data.link;
}
