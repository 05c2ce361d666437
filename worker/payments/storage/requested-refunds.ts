import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Minor } from '../../platform/types.ts';
import type { RefundRequest } from '../purchase/gateway.ts';

type RequestedRefund = Pick<RefundRequest, 'sentAt'> & { amount: Minor };

const prefix = 'refund:';

/** The refunds that were asked for, each by the key of its request. */
export class RequestedRefunds {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  of(key: string): RequestedRefund | undefined {
    return this.#kv.get<RequestedRefund>(prefix + key);
  }

  save(key: string, refund: RequestedRefund): void {
    this.#kv.put(prefix + key, refund);
  }

  delete(key: string): void {
    this.#kv.delete(prefix + key);
  }
}
