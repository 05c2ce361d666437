import { mark, tell } from './script-origin.ts';

interface Told {
  transaction_id: string;
  send_to?: string;
}
type Command = [verb: string, name: string, data: Told];

const page = window as unknown as { dataLayer: ArrayLike<unknown>[] };
const consent = page.dataLayer[0];
const first = consent ? Array.from(consent as Command) : [];
if (first[0] !== 'consent' || first[1] !== 'default') {
  throw new Error('the fake of Google’s tag needs the default consent first');
}

function run(command: ArrayLike<unknown>): void {
  const [verb, name, data] = Array.from(command) as Command;
  if (verb === 'config') mark('_ga', 'GA1.1.111.222');
  if (verb !== 'event') return;
  const { transaction_id: event, send_to = '' } = data;
  const ads = name === 'conversion' && send_to.startsWith('AW-');
  const address = ads
    ? 'www.googleadservices.com/pagead/conversion'
    : 'www.google-analytics.com/g/collect';
  tell(address, { ...data, name, event });
}

for (const command of page.dataLayer) run(command);
page.dataLayer.push = (...commands) => {
  commands.forEach(run);
  return 0;
};
