import { googleStrokes } from '../../../islands/ui/google-logo.tsx';

/** As Google's button says it before its mark. In other languages the words follow the mark, so it has none here. */
const ordering: Record<string, string> = {
  ar: 'الطلب عبر',
  de: 'Bestellen mit',
  en: 'Order with',
  es: 'Pedir con',
  fr: 'Commander avec',
  it: 'Ordina con',
  nl: 'Bestellen met',
  pl: 'Zamów z',
  pt: 'Pedir com',
  ru: 'Заказать с',
  uk: 'Замовити з',
};

const space = 'http://www.w3.org/2000/svg';

function googleMark(): SVGElement {
  const svg = document.createElementNS(space, 'svg');
  const shape = { viewBox: '0 0 18 18', width: '22', height: '22', fill: 'none' };
  for (const [name, value] of Object.entries(shape)) svg.setAttribute(name, value);
  svg.setAttribute('stroke-width', '3.4');
  for (const [path, colour] of googleStrokes) {
    const stroke = document.createElementNS(space, 'path');
    stroke.setAttribute('d', path);
    stroke.setAttribute('stroke', colour);
    svg.append(stroke);
  }
  return svg;
}

/** Draws Google's button as `developers.google.com/pay/api/web` shows it. */
export function drawGooglePay(button: HTMLElement, locale: string, isOrder: boolean): void {
  const words = (isOrder && ordering[locale.slice(0, 2)]) || '';
  const text = document.createElement('span');
  text.textContent = words;
  const mark = document.createElement('span');
  mark.dir = 'ltr';
  mark.style.cssText = `display:inline-flex;align-items:center;gap:3px;font-weight:500${words ? '' : ';font-size:21px'}`;
  mark.append(googleMark(), 'Pay');
  button.setAttribute('aria-label', `${words} Google Pay`.trim());
  button.style.setProperty('display', 'flex');
  button.style.setProperty('align-items', 'center');
  button.style.setProperty('justify-content', 'center');
  button.style.setProperty('gap', '6px');
  button.style.setProperty('white-space', 'nowrap');
  button.append(...(words ? [text] : []), mark);
}
