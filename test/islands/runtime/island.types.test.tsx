import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Island, nameIsland } from '../../../islands/runtime/hydration/island.tsx';

interface Props {
  label: string;
  plans: { id: string; price: number | null }[];
  upright?: boolean;
}

const Good = ({ label, plans }: Props) => <p>{label + plans.length}</p>;
const Taps = ({ onTap }: { onTap: () => void }) => <i onClickCapture={onTap} />;
const Deep = ({ row }: { row: { pick?: (id: string) => void } }) => <i>{typeof row}</i>;
const Dated = ({ at }: { at: Date }) => <i>{String(at)}</i>;
const Big = ({ count }: { count: bigint }) => <i>{String(count)}</i>;

const plans = [{ id: 'monthly_usd', price: null }];

/** Never run: the compiler must refuse each line. */
const refused = () => [
  // @ts-expect-error a prop is missing
  <Island key="1" of={Good} when="idle" label="a" />,
  // @ts-expect-error a prop has another type
  <Island key="2" of={Good} when="idle" label={1} plans={plans} />,
  // @ts-expect-error there is no such moment
  <Island key="3" of={Good} when="later" label="a" plans={plans} />,
  // @ts-expect-error the moment is missing
  <Island key="4" of={Good} label="a" plans={plans} />,
  // @ts-expect-error a function is no JSON
  <Island key="5" of={Taps} when="idle" onTap={() => {}} />,
  // @ts-expect-error nor is one deeper down
  <Island key="6" of={Deep} when="idle" row={{ pick: () => {} }} />,
  // @ts-expect-error a Date would arrive as text
  <Island key="7" of={Dated} when="idle" at={new Date()} />,
  // @ts-expect-error a bigint can not be written
  <Island key="8" of={Big} when="idle" count={1n} />,
  // @ts-expect-error the component takes no such prop
  <Island key="9" of={Good} when="idle" label="a" plans={plans} onTap={() => {}} />,
];

it('island: wrong or non-JSON props are compile errors', () => {
  expect(refused).toBeTypeOf('function');
});

it('island: renders name, trigger and props around its HTML', () => {
  nameIsland(Good, { name: 'good', src: '/static/js/good.js' });
  const html = renderToStaticMarkup(
    <Island of={Good} when="visible" label={'"<a>'} plans={plans} />,
  );
  const props = JSON.stringify({ label: '"<a>', plans })
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  expect(html).toBe(
    `<x-island name="good" src="/static/js/good.js" when="visible" props="${props}"><p>&quot;&lt;a&gt;1</p></x-island>`,
  );
});

it('island: an unregistered component throws', () => {
  expect(() => renderToStaticMarkup(<Island of={Dated as never} when="idle" />)).toThrow(
    'Dated is no island',
  );
});
