import { request } from './confirm.ts';
import type { ChallengeSetup, FromChallenge } from './messages.ts';

const { intent, secret, key, api, page }: ChallengeSetup = JSON.parse(
  decodeURIComponent(location.hash.slice(1)),
);

function button(text: string, outcome: 'authenticated' | 'failed'): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', async () => {
    for (const each of document.querySelectorAll('button')) each.disabled = true;
    await request(api, key, 'POST', `/__challenge/${intent}`, { client_secret: secret, outcome });
    parent.postMessage({ kind: 'challenged' } satisfies FromChallenge, page);
  });
  return made;
}

const dialog = document.createElement('div');
dialog.className = 'dialog';
dialog.setAttribute('role', 'dialog');
dialog.setAttribute('aria-modal', 'true');
dialog.setAttribute('aria-labelledby', 'title');
const title = document.createElement('h1');
title.id = 'title';
title.textContent = '3D Secure 2 Test Page';
const text = document.createElement('p');
text.textContent = 'Your bank asks whether it is you. This is a test: choose the answer.';
const complete = button('Complete', 'authenticated');
dialog.append(title, text, complete, button('Fail', 'failed'));
document.body.append(dialog);
complete.focus();
