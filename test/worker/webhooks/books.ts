import type { Gateway, Order, Statement } from '../../../worker/funnel/purchase.ts';

/** What a made-up gateway knows, and how it behaves. */
export const books = {
  /** By attempt. */
  statements: new Map<string, Statement>(),
  refunds: new Map<string, { id: string; paymentId: string; amount: number; at: number }>(),
  down: false,
  /** The next so many replies of `refund` are lost. */
  lost: 0,
  /** Calls of `statement`. */
  read: 0,
};

/** Forgets everything. */
export function emptyBooks(): void {
  books.statements.clear();
  books.refunds.clear();
  Object.assign(books, { down: false, lost: 0, read: 0 });
}

const paymentOf = ({ attempt }: Order) => `pi_${attempt.id}`;

function charge(order: Order) {
  const { id, amount } = order.attempt;
  if (!books.statements.has(id)) {
    const paymentId = paymentOf(order);
    books.statements.set(id, {
      status: 'active',
      paidUntil: Date.now() + 30 * 86_400_000,
      ends: false,
      captures: [{ id: paymentId, paymentId, amount, at: Date.now() }],
      refunds: [],
      disputes: [],
    });
  }
  return {
    kind: 'active' as const,
    charge: {
      subscriptionId: `sub_${id}`,
      paymentId: paymentOf(order),
      customerId: order.customerId,
      methodId: 'pm',
      amount,
      currency: 'USD' as const,
    },
  };
}

/** The statement of an attempt, to be changed. */
export function statementOf(attempt: string): Statement {
  const found = books.statements.get(attempt);
  if (!found) throw new RangeError(attempt);
  return found;
}

const gateway: Gateway = {
  customer: async (account) => `cus_${account}`,
  charge: async (order) => {
    if (order.attempt.nonce !== 'pm_declined') return charge(order);
    return { kind: 'declined', declineCode: 'generic_decline', processorResponse: '' };
  },
  lookUp: async (order) =>
    books.statements.has(order.attempt.id) ? charge(order) : { kind: 'none' },
  settle: async (order) => charge(order),
  statement: async ({ attempt }) => {
    books.read += 1;
    if (books.down) throw new TypeError('network connection lost');
    return structuredClone(statementOf(attempt.id));
  },
  cancel: async ({ attempt }) => {
    statementOf(attempt.id).ends = true;
  },
  refund: async ({ attempt }, paymentId, amount, key) => {
    if (books.down) throw new TypeError('network connection lost');
    const done = books.refunds.get(key) ?? { id: `re_${key}`, paymentId, amount, at: Date.now() };
    if (!books.refunds.has(key)) {
      books.refunds.set(key, done);
      statementOf(attempt.id).refunds.push(done);
    }
    if (books.lost > 0) {
      books.lost -= 1;
      throw new TypeError('network connection lost');
    }
    return done;
  },
};

/** Takes the place of worker/vendors/gateways.ts. */
export const madeUp = { isOpen: () => true, gatewayOf: () => gateway };
