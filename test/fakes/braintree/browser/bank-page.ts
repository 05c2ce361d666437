import { reach } from './script-origin.ts';

const script = document.currentScript;
const here = script instanceof HTMLScriptElement ? script.src : '';
const { transaction = '' } = document.body.dataset;
const termUrl = 'https://cas.client.cardinaltrusted.com/centinelapi/V1/TermURL/Overlay/CCA';

/** Redirects this frame to Cardinal, as banks do. */
function leave(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = reach(termUrl, here);
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name: 'transaction', value: transaction });
  form.append(input);
  document.body.append(form);
  form.submit();
}

function button(text: string, outcome: 'authenticated' | 'failed'): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', async () => {
    for (const each of document.querySelectorAll('button')) each.disabled = true;
    await fetch('answer', { method: 'POST', body: JSON.stringify({ transaction, outcome }) });
    leave();
  });
  return made;
}

const box = document.createElement('main');
const title = document.createElement('h1');
title.textContent = '3D Secure Test Page';
const text = document.createElement('p');
text.textContent = 'Your bank asks whether it is you. This is a test: choose the answer.';
const complete = button('Complete', 'authenticated');
box.append(title, text, complete, button('Fail', 'failed'));
document.body.append(box);
complete.focus();
