import { isTestScreen, type ScreenId, screenIds } from '../../../worker/experiments/rules/flows.ts';
import { arms } from './experiment.ts';

/** What a page is rendered for. */
export interface Key {
  screen: ScreenId;
  /** Number of the arm; it has a flow. */
  arm: number;
  language: string;
  /** One of each market: a page is kept by market, and filled in for a country. */
  country: string;
}

const screens = screenIds.filter((id) => !isTestScreen(id));
const languages = 'ar de en es fr it ja ko nl pl pt-BR ru tr uk'.split(' ');
const countries = ['US', 'DE', 'GB', 'BR', 'JP'];

/** How many keys there are. */
export const most = screens.length * arms.length * languages.length * countries.length;

/** A key that no other number under `most` has. */
export function keyAt(number: number): Key {
  let rest = number;
  const digit = <Item>(items: readonly Item[]): Item => {
    const item = items[rest % items.length] as Item;
    rest = Math.floor(rest / items.length);
    return item;
  };
  const [country, language] = [digit(countries), digit(languages)];
  return { country, language, arm: digit([...arms.keys()]), screen: digit(screens) };
}
