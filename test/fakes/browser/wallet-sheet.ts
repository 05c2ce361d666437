/** The payer's choices in the fake wallet sheet. */
export type Choice = 'approves' | 'declines' | 'asks';
export const choices: Record<Choice, string> = {
  approves: 'Card that approves',
  declines: 'Card that declines',
  asks: 'Card whose bank asks',
};

/** A line of the sheet: label and displayed amount. */
export interface Line {
  label: string;
  price: string;
}

interface Sheet {
  /** The wallet's name. */
  name: string;
  lines: Line[];
  /** The available choices. */
  offers: Choice[];
}

const css = `dialog{border:0;padding:24px;border-radius:12px;max-inline-size:340px;color:#111;
background:#fff;font:16px/1.4 system-ui,sans-serif;color-scheme:light}dialog::backdrop{background:rgb(0 0 0/.4)}
h1{font-size:20px;margin:0 0 12px}dl{display:grid;grid-template-columns:1fr auto;gap:4px 16px;margin:0 0 16px}
dd{margin:0}fieldset{border:0;padding:0;margin:0 0 16px}label{display:block;padding:10px 0}
button{font:inherit;min-block-size:44px;min-inline-size:96px;margin-inline-end:8px;border:1px solid #124cb8;
border-radius:6px;background:#fff;color:#124cb8}button[type=submit]{background:#124cb8;color:#fff}`;
function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = '') {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}

function choicesOf(offers: Choice[]): HTMLElement {
  const set = element('fieldset');
  set.append(element('legend', 'This is a test: choose the card.'));
  offers.forEach((offer, i) => {
    const label = element('label', choices[offer]);
    const radio = element('input');
    Object.assign(radio, { type: 'radio', name: 'choice', value: offer, defaultChecked: i === 0 });
    label.prepend(radio);
    set.append(label);
  });
  return set;
}

/**
 * Shows the fake wallet sheet above the page.
 * @returns the payer's choice; null when they closed it
 */
export function showSheet({ name, lines, offers }: Sheet): {
  chosen: Promise<Choice | null>;
  close(): void;
} {
  const place = element('div');
  const dialog = element('dialog');
  const form = element('form');
  const list = element('dl');
  const pay = element('button', 'Pay');
  const cancel = element('button', 'Cancel');
  const title = element('h1', name);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const shadow = place.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [sheet];
  dialog.setAttribute('aria-label', `${name} sheet`);
  for (const { label, price } of lines) list.append(element('dt', label), element('dd', price));
  pay.type = 'submit';
  cancel.type = 'button';
  form.append(title, list, choicesOf(offers), pay, cancel);
  dialog.append(form);
  shadow.append(dialog);
  document.body.append(place);
  dialog.showModal();
  const close = () => place.remove();
  const chosen = new Promise<Choice | null>((done) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      pay.disabled = true;
      done(new FormData(form).get('choice') as Choice);
    });
    cancel.addEventListener('click', () => done(null));
    dialog.addEventListener('cancel', () => done(null));
  });
  return { chosen, close };
}
