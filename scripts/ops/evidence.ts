import { writeFileSync } from 'node:fs';
import { decimal } from '../../locales/format/currency.ts';
import { type Evidence, evidenceText } from '../../worker/operators/rules/evidence-text.ts';
import type { AdminContext } from './admin-client.ts';

/** @param file output file; null prints it */
export async function evidence(
  payment: string,
  file: string | null,
  { site, print }: AdminContext,
): Promise<void> {
  const found = await site.get<Evidence>(`/payments/${encodeURIComponent(payment)}/evidence`);
  const text = evidenceText(found, (minor, currency) => `${decimal(minor, currency)} ${currency}`);
  if (file === null) return print(text.trimEnd());
  // It contains a name and an e-mail address, so only the file's owner may read it.
  writeFileSync(file, text, { mode: 0o600 });
  print(`Wrote ${file}. It contains personal data: delete it when the dispute is over.`);
}
