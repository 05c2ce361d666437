import { call } from '../runtime/api.ts';
import { $signup } from '../stores/signup.ts';

/**
 * A link that opens this visitor's checkout once in another browser, within 15 minutes.
 *
 * @throws the parsed refusal; an Error when there is no answer
 */
export async function requestOtherBrowserLink(): Promise<string> {
  const { data } = await call<{ data: { link: string } }>('/users/me/way-here', {
    body: {},
    bearer: $signup.get().token,
  });
  return data.link;
}
