import { showChallenge } from '../../browser/bank-page.ts';
import { reachableUrl } from './script-origin.ts';

const script = document.currentScript;
const here = script instanceof HTMLScriptElement ? script.src : '';
const { transaction = '' } = document.body.dataset;
const termUrl = 'https://cas.client.cardinaltrusted.com/centinelapi/V1/TermURL/Overlay/CCA';

showChallenge('3D Secure Test Page', async (outcome) => {
  await fetch('answer', { method: 'POST', body: JSON.stringify({ transaction, outcome }) });
  // Redirects this frame to Cardinal, as banks do.
  const form = document.createElement('form');
  form.method = 'post';
  form.action = reachableUrl(termUrl, here);
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name: 'transaction', value: transaction });
  form.append(input);
  document.body.append(form);
  form.submit();
});
