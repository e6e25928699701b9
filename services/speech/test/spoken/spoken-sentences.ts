/** What callers say, for measuring recognisers; read aloud by the service's own voice, as a telephone carries it. */
export const spokenSentences: Readonly<Record<'messages' | 'numbers' | 'names' | 'short', readonly string[]>> = {
  messages: [
    'Hello, this is a message about my bicycle. I brought it in last week and I would like to know when it will be ready.',
    'Hi, my bike makes a loud noise when I slow down. Could you look at it on Monday?',
    'I would like a refund for my broken phone. I still have the receipt and the original box.',
    'Good morning, I am calling because the parcel you sent has not arrived yet. Please call me back when you can.',
    'We would like to book a table for the company dinner next week. Is there still room on Friday evening?',
    'The heating in our office does not work and it is very cold. Can you send somebody today?',
    'I have a question about the last invoice. It seems that we were charged twice for the same order.',
    'Thank you for calling back so quickly. The new contract looks good and we will sign it tomorrow.',
    'I am afraid I have to cancel my appointment on Wednesday afternoon because my son is ill.',
    'Could you tell me whether the shop is open on Sunday, and if there is a place to park the car?',
    'The website shows an error whenever I try to change my password, so I cannot sign in any more.',
    'Please ask the technician to bring a longer cable and a ladder, because the ceiling is quite high.',
  ],
  numbers: [
    'My order number is four four eight two, and I would like to change the address.',
    'You can reach me at two zero three zero four zero five zero, until five in the afternoon.',
    'Please call me back on five five five, zero one nine nine.',
    'We need six chairs, three tables and one large screen for the meeting.',
  ],
  names: [
    'This is Anna Miller from the city library. Please tell Peter that his books are here.',
    'My name is David Cooper and I am calling for Susan Baker in the sales department.',
    'Hi Emma, it is Robert. Michael told me that you would send the documents to Laura today.',
    'I would like to speak to Thomas Green about the results from Boston.',
    'Please send the package to Oliver Stone, seven King Street, in London.',
  ],
  short: [
    'Yes, please.',
    'No, thank you.',
    'Could you call me back tomorrow?',
    'I will be there in a few minutes.',
    'That is all, goodbye.',
    'Where are you located?',
  ],
};
