/** The assistant that answers the second number of the demo company. */
export const DEMO_ASSISTANT = {
  name: 'Robin',
  greeting: 'Welcome to the demo company. How can I help you?',
};

/** What it knows, beside opening hours, the company's address and its people. */
export const DEMO_KNOWLEDGE = [
  {
    title: 'Delivery',
    answer: 'We deliver within three working days. Delivery is free for orders above five hundred kroner.',
    questions: ['How long does delivery take?', 'What does delivery cost?', 'When will my order arrive?'],
  },
  {
    title: 'Returns',
    answer: 'You can return anything within thirty days. Bring it to the shop, or we collect it when we deliver.',
    questions: [
      'Can I return something?',
      'How do I send something back?',
      'It does not fit, can I get my money back?',
    ],
  },
  {
    title: 'Parking',
    answer: 'You can park behind the house, free of charge for two hours.',
    questions: ['Where can I park?', 'Is there parking?'],
  },
  {
    title: 'Repairs',
    answer: 'We repair furniture that you bought from us. Bring it by any day after ten, without an appointment.',
    questions: ['Do you repair chairs?', 'My table is broken, can you fix it?'],
  },
  {
    title: 'Payment',
    answer: 'You can pay by card, by bank transfer or in cash.',
    questions: ['How can I pay?', 'Do you take credit cards?', 'Can I pay in cash?'],
  },
  {
    title: 'Warranty',
    answer: 'Everything we sell has a warranty of two years.',
    questions: ['How long is the warranty?', 'Is there a guarantee?'],
  },
];
