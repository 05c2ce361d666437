import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

const module = () => import('../../../../islands/runtime/tracking/attribution.ts');

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ local: new Map() });
});
it('attribution: stores the click ids of the latest ad', async () => {
  const { recordAttribution: noteAd, attribution } = await module();
  noteAd('?fbclid=F1&gclid=G1&appDomain=app.example.com&utm_source=s');
  noteAd('?fbclid=F2&ttclid=T1&gbraid=B1&wbraid=W1');
  noteAd('');
  expect(attribution('').user_data).toEqual({
    fb_click_id: 'F2',
    google_click_id: 'G1',
    tt_click_id: 'T1',
    gbraid: 'B1',
    wbraid: 'W1',
    source_url: 'app.example.com',
  });
});

it('attribution: a click keeps its first time on every later page, and ends after 90 days', async () => {
  const { recordAttribution: noteAd, attribution } = await module();
  const clock = vi.spyOn(Date, 'now');
  const at = (day: number) => clock.mockReturnValue(day * 86_400_000);
  at(100);
  noteAd('?fbclid=F1&ttclid=T1&gclid=G1');
  at(110);
  noteAd('?fbclid=F1&ttclid=T2');
  noteAd('');
  expect(attribution('').clicked_at).toEqual({
    fb_click_id: 100 * 86_400_000,
    tt_click_id: 110 * 86_400_000,
    google_click_id: 100 * 86_400_000,
  });
  at(191);
  // An old bookmark has the old click.
  noteAd('?fbclid=F1');
  expect(attribution('').user_data).toEqual({ tt_click_id: 'T2' });
  noteAd('?fbclid=F3');
  expect(attribution('').user_data).toEqual({ fb_click_id: 'F3', tt_click_id: 'T2' });
});

it('attribution: a visit without an ad stores nothing', async () => {
  const local = new Map<string, string>();
  fakeBrowser({ local });
  const { recordAttribution: noteAd } = await module();
  noteAd('?utm_source=s');
  expect([...local.keys()]).toEqual([]);
  noteAd('?gclid=G1');
  expect([...local.keys()]).toEqual(['funnel:1:events']);
});

it('attribution: reads the ids in the network cookies', async () => {
  const { attribution } = await module();
  const cookies =
    '_fbc=fb.1.1.a; _fbp=fb.1.1.2; _ttp=t1; _ga=GA1.1.12.34; publicid_giaid=g1; afUserId=a1; x_fbc=no';
  expect(attribution(cookies)).toEqual({
    appsflyer_id: 'a1',
    google_tracking_id: 'g1',
    google_client_id: '12.34',
    user_data: { fbc: 'fb.1.1.a', fbp: 'fb.1.1.2', ttp: 't1' },
  });
});

it('attribution: reads the campaign parameters', async () => {
  const { campaign } = await module();
  const search = '?utm_source=s&utm_campaign=spring&gclid=G1&xutm_source=x';
  expect(campaign(search)).toEqual({ utm_source: 's', utm_campaign: 'spring' });
});

it('attribution: truncates long values', async () => {
  const { recordAttribution: noteAd, attribution } = await module();
  noteAd(`?gclid=${'x'.repeat(2000)}`);
  expect(attribution('').user_data.google_click_id).toHaveLength(512);
});
