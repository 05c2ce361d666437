import type { SyncKvStorage } from '@cloudflare/workers-types';
import { type AttemptId, attemptIdOf } from '../../platform/types.ts';

/** The payer of a bank debit, by keyed hashes. */
interface DebitPayer {
  hashes: string[];
  /** `bounced`: the bank did not pay, or took the money back. `shared`: D1 has it too. */
  state: 'known' | 'bounced' | 'shared';
}

const prefix = 'debit:';

/** Who paid an account's bank debits, by attempt. */
export class DebitPayers {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  of(attempt: string): DebitPayer | undefined {
    return this.#kv.get<DebitPayer>(prefix + attempt);
  }

  save(attempt: string, payer: DebitPayer): void {
    this.#kv.put(prefix + attempt, payer);
  }

  all(): [attempt: AttemptId, payer: DebitPayer][] {
    const stored = [...this.#kv.list<DebitPayer>({ prefix })];
    return stored.map(([key, payer]) => [attemptIdOf(key.slice(prefix.length)), payer]);
  }
}
