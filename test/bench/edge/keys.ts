import { isTestScreen, type ScreenId, screenIds } from '../../../worker/experiments/rules/flows.ts';
import { arms } from './experiment.ts';

/** Everything on which a page's rendering depends. */
export interface Key {
  screen: ScreenId;
  /** Number of the arm, which has a flow. */
  arm: number;
  language: string;
  /** One country per market: a page is cached by market, and its country is filled in. */
  country: string;
}

const screens = screenIds.filter((id) => !isTestScreen(id));
const languages = 'ar de en es fr it ja ko nl pl pt-BR ru tr uk'.split(' ');
const countries = ['US', 'DE', 'GB', 'BR', 'JP'];

/** The number of keys. */
export const most = screens.length * arms.length * languages.length * countries.length;

/** A key that differs for every number below `most`. */
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
