import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { braintreeWeb } from './assets.ts';
import { clientTokenFor } from './client-api.ts';

test('Braintree fake: served from our origin, braintree-web sends its requests there', async () => {
  const origin = 'http://localhost:8787';
  const src = `${origin}/fakes/js.braintreegateway.com/web/3.144.0/js/client.min.js`;
  const served = await braintreeWeb(new Request(src, { headers: { 'x-own-origin': origin } }));
  const { promise: opened, resolve, reject } = Promise.withResolvers<string>();
  class XMLHttpRequest {
    readonly open = (_method: string, url: string) => resolve(url);
    setRequestHeader() {}
    send() {}
  }
  const window = {
    document: { currentScript: { src } },
    navigator: { userAgent: '' },
    location: { hostname: 'localhost' },
    XMLHttpRequest,
    setTimeout: () => 0,
    clearTimeout() {},
    atob,
    crypto,
    reject,
  };
  const scope = createContext({ ...window, window });
  runInContext((await served?.text()) ?? '', scope);
  const authorization = JSON.stringify(clientTokenFor());
  runInContext(
    `window.braintree.client.create({ authorization: ${authorization} }).catch(reject)`,
    scope,
  );
  expect(await opened).toMatch(`${origin}/fakes/payments.sandbox.braintree-api.com/`);
});
