import { type Call, find, idOf, invalid } from './call.ts';
import { endSubscription } from './clock.ts';

/** "Also immediately cancels any active subscriptions on the customer." https://docs.stripe.com/api/customers/delete */
export function deleteCustomer(call: Call) {
  const { state, id, emit } = call;
  const customer = find(state.customers, 'customer', id);
  for (const subscription of Object.values(state.subscriptions)) {
    if (idOf(subscription.customer) !== id || subscription.ended_at) continue;
    endSubscription(subscription, 'cancellation_requested', call);
  }
  delete state.customers[id];
  state.deleted[id] = true;
  emit('customer.deleted', customer);
  return { id, object: 'customer', deleted: true };
}

/** "Deleting a product is only possible if it has no prices associated with it." https://docs.stripe.com/api/products/delete */
export function deleteProduct({ state, id, emit }: Call) {
  const product = find(state.products, 'product', id);
  if (Object.values(state.prices).some((price) => idOf(price.product) === id))
    throw invalid('This product cannot be deleted because it has one or more prices.');
  delete state.products[id];
  emit('product.deleted', product);
  return { id, object: 'product', deleted: true };
}
