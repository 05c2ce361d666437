import { people } from '../people.ts';

const audience = new URLSearchParams(location.search).get('client_id');

/** Sends the credential to the button's frame, as Google's popup does, and closes. */
async function choose(person: string): Promise<void> {
  const body = JSON.stringify({ person, audience });
  const response = await fetch('credential', { method: 'POST', body });
  const { credential } = await response.json();
  opener.postMessage({ credential, select_by: 'btn' }, location.origin);
  close();
}

function add<Tag extends 'h1' | 'p' | 'button'>(tag: Tag, text: string) {
  const element = document.createElement(tag);
  element.textContent = text;
  return document.body.appendChild(element);
}

add('h1', 'Choose an account');
add('p', 'The Google fake: these people exist only here.');
for (const name of Object.keys(people)) add('button', name).onclick = () => choose(name);
add('button', 'Cancel').onclick = () => close();
