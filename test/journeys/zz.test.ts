import { expect } from 'vitest';
import { journey } from './journey.ts';
import { faultsOf } from './watch.ts';

journey('scratch', async ({ another, house }) => {
  const visitor = await another();
  await visitor.page.route(`${house.url}/`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replaceAll('>Locate<', '>Nope<')
      .replace('<main', '<img src="https://tracker.example/x.png" alt=""><main');
    await route.fulfill({ response, body });
  });
  await visitor.open();
  await visitor.waitLive('phone-form').catch(() => {});
  console.log('FAULTS', JSON.stringify(faultsOf((visitor as never as { seen: never }).seen)));
});
