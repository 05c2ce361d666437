import { bankPage } from './control-page.ts';
import { type Bank, deeds } from './simulate.ts';

/** The counter where a person makes happen at the providers what no visitor can. */
export function bankCounter(bank: Bank) {
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return bankPage(bank);
    const form = new URLSearchParams(await request.text());
    const deed = deeds[form.get('deed') ?? ''];
    if (!deed) return new Response('no such deed\n', { status: 400 });
    try {
      await deed(bank, form.get('id') ?? '');
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it failed';
      return new Response(`${why}\n`, { status: 409 });
    }
    return new Response(null, { status: 303, headers: { location: '.' } });
  };
}
