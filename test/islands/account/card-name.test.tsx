import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CardName } from '../../../islands/account/card-name.tsx';
import arabic from '../../../locales/ar/islands.json' with { type: 'json' };

const card = { brand: 'Visa', last4: '4242', month: 12, year: 2027 };

test('card name: in Arabic the month comes before the year, as on the card', () => {
  const html = renderToStaticMarkup(
    <CardName text={arabic['my-account']} card={card} language="ar" />,
  );
  expect(html).toContain('\u206612/2027\u2069');
});
