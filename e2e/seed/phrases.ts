/** Of which histories are made. */
export const FIRST_NAMES =
  'Anders Mette Lars Anne Peter Hanne Jens Kirsten Henrik Lene Thomas Susanne Rasmus Maria Christian Pia Martin Inge Jan Karen'.split(
    ' ',
  );
export const FAMILY_NAMES =
  'Jensen Nielsen Hansen Pedersen Andersen Christensen Larsen Sorensen Madsen Olsen Thomsen Poulsen Holm Skov Lund Krogh'.split(
    ' ',
  );
export const COMPANY_NAMES = [
  'Nordlys',
  'Holm & Co',
  'Skov Carpentry',
  'Krogh & Glas',
  'Harbour Bakery',
  'Dahl Roofing',
];

export const QUESTIONS = [
  'When will my sofa be delivered?',
  'The bicycle that you repaired makes a noise again.',
  'Can you send me the invoice once more?',
  'I would like to book a table for Saturday evening.',
  'Do you have the oak table in another colour?',
  'My heating does not work since this morning.',
  'I want to cancel my subscription.',
  'How much does it cost to paint two rooms?',
];
export const ANSWERS = [
  'I will look it up and send you a text message.',
  'Our driver comes between ten and twelve.',
  'That is a mistake of ours, and we will pay for it.',
  'Somebody of us visits you on Monday.',
  'We have it in stock, so you can come by today.',
  'Please send us a picture of it by mail.',
];
export const MAILBOX_MESSAGES = [
  'Please call me back this afternoon.',
  'I am calling about my order, I will try again tomorrow.',
  'You can reach me on this number until five.',
];
export const TEXTS = [
  'Are you open on Saturday?',
  'Thank you, see you tomorrow.',
  'Your order is ready, you can pick it up.',
  'Can you deliver on Thursday instead?',
  'We have received your payment.',
];

/** What is said in a call; each call has an order number of its own, by which it is found. */
export function conversation(question: string, answer: string, order: number): string[] {
  return [`Hello, order ${orderWord(order)} is what I call about. ${question}`, `Thank you for calling. ${answer}`];
}

/** One word, as it is searched for. */
export const orderWord = (order: number) => `k${order}`;
