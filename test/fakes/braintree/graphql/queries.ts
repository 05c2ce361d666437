import type { Sandbox } from '../call.ts';
import { configuration } from '../client-token.ts';
import { NotFound } from '../errors.ts';
import { globalId, shortId } from '../state.ts';
import { customerView, methodView, saleView } from './views.ts';

interface Search {
  orderId?: { is?: string };
  id?: { is?: string };
  customer?: { id?: { is?: string } };
}

const searchable = ['orderId', 'id', 'customer'];

export function queries(sandbox: Sandbox) {
  const { state } = sandbox;
  return {
    ping: 'pong',
    clientConfiguration: configuration,

    node({ id }: { id: string }) {
      const sale = state.transactions[shortId('transaction', id) ?? ''];
      if (sale) return saleView(sandbox, sale);
      const customer = state.customers[shortId('customer', id) ?? ''];
      if (customer) return customerView(customer);
      const method = state.methods[shortId('paymentmethod', id) ?? ''];
      if (method) return methodView(method);
      throw new NotFound('node');
    },

    idFromLegacyId({ legacyId, type }: { legacyId: string; type: string }) {
      const kind = type.toLowerCase().replace('_', '');
      const tables: Record<string, object> = {
        transaction: state.transactions,
        customer: state.customers,
        paymentmethod: state.methods,
      };
      if (!(legacyId in (tables[kind] ?? {}))) throw new NotFound(legacyId);
      return globalId(kind, legacyId);
    },

    search: {
      __typename: 'Search',
      transactions({ input, first = 50 }: { input: Search; first?: number }) {
        const strange = Object.keys(input).find((name) => !searchable.includes(name));
        if (strange) throw new Error(`test/fakes/braintree does not search by ${strange}`);
        const { orderId, id, customer } = input;
        const nodes = Object.values(state.transactions)
          .filter(({ createdAt }) => createdAt <= sandbox.now() - sandbox.searchLag)
          .filter((sale) => !orderId?.is || sale.orderId === orderId.is)
          .filter((sale) => !id?.is || globalId('transaction', sale.id) === id.is)
          .filter((sale) => {
            const wanted = customer?.id?.is;
            return !wanted || globalId('customer', sale.customer ?? '') === wanted;
          })
          .reverse()
          .slice(0, first)
          .map((sale) => ({
            __typename: 'TransactionConnectionEdge',
            cursor: sale.id,
            node: saleView(sandbox, sale),
          }));
        const pageInfo = { __typename: 'PageInfo', hasNextPage: false };
        return { __typename: 'TransactionConnection', edges: nodes, pageInfo };
      },
    },
  };
}
