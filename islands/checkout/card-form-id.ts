/** A button elsewhere on the page submits the form by it. */
export const cardFormId = 'card-form';
