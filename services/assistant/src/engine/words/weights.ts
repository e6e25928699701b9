import { dan, deu, eng } from 'stopword';
import type { Language } from '../../words/languages.ts';

const plain = (words: readonly string[]) =>
  words.map((word) =>
    word
      .normalize('NFKD')
      .replaceAll(/[\p{M}'’]/gu, '')
      .replaceAll('æ', 'ae')
      .replaceAll('ø', 'o')
      .replaceAll('ß', 'ss'),
  );

/** Words that say nothing about what is asked, beside those that are common in every text. */
const ASKING: Readonly<Record<Language, string>> = {
  en: 'please thank thanks hello hi hey okay ok yes yeah no uh um oh well so like want would could should can may might will do does did is are was were be been have has had get got go going know tell say said ask asking question need wondering wonder calling call let us me my mine your yours you i we they it its im id ive dont doesnt cant isnt youre guys one some any thing something anything much many just also still now then here there with at to for of the a an and or if on in about from by what when where who how which why way possible offer take give make use sure really actually maybe looking look interested help able kind sort lot bit',
  da: 'hej tak venligst ja nej ok okay oh jeg du i vi de jer mig min mit vil gerne kan skal har er var bliver hvad hvor hvordan hvornar hvem hvilke hvilken der det den en et og eller om for til pa med af fra at ved lige noget nogen muligt sporge sporgsmal ringer tager giver mange meget',
  de: 'hallo guten tag bitte danke ja nein ok okay ah ich du sie wir ihr mich mir mein meine mochte wurde gerne gern kann konnen muss haben hat habe ist sind war was wo wie wann wer welche der die das ein eine einen und oder ob fur zu auf mit von an bei es man noch auch nur viel viele frage fragen rufe wissen geht gibt machen',
};

export const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set([...plain(eng), ...ASKING.en.split(' ')]),
  da: new Set([...plain(dan), ...ASKING.da.split(' ')]),
  de: new Set([...plain(deu), ...ASKING.de.split(' ')]),
};

/** Words of one meaning in the questions that businesses are asked. */
export const SYNONYMS: Readonly<Record<Language, readonly (readonly string[])[]>> = {
  en: [
    ['price', 'cost', 'costs', 'charge', 'fee', 'rate', 'expensive', 'how much', 'pricing', 'cheap'],
    ['repair', 'fix', 'mend', 'patch', 'broken', 'broke'],
    ['buy', 'purchase', 'order'],
    ['booking', 'book', 'appointment', 'reservation', 'reserve', 'in advance', 'make a time'],
    ['cancel', 'call off', 'cant make it', 'cannot make it'],
    ['reschedule', 'move my', 'postpone'],
    ['refund', 'money back', 'return', 'bring back', 'bring it back', 'bring them back', 'send back', 'exchange'],
    ['delivery', 'deliver', 'ship', 'shipping', 'shipment'],
    ['job', 'jobs', 'vacancy', 'vacancies', 'hiring', 'career', 'apply', 'employment', 'work for you', 'recruiting'],
    ['parking', 'park', 'car park', 'come by car', 'coming by car'],
    ['child', 'children', 'kid', 'kids', 'son', 'daughter', 'toddler', 'baby'],
    ['warranty', 'guarantee', 'covered'],
    ['voucher', 'gift card', 'gift voucher', 'gift certificate'],
    ['rent', 'hire', 'rental', 'lease', 'borrow'],
    ['invoice', 'bill', 'receipt', 'billing'],
    ['stolen', 'theft', 'stole', 'steal', 'thief', 'robbed'],
    ['wheelchair', 'accessible', 'disabled', 'step free', 'stairs', 'accessibility'],
    ['bicycle', 'bike', 'cycle'],
    ['tyre', 'tire', 'wheel'],
    ['electric', 'ebike', 'e bike', 'e bikes'],
    ['used', 'second hand', 'old', 'secondhand'],
    ['instalment', 'installment', 'monthly', 'financing', 'spread', 'split', 'instalments'],
    ['payment', 'pay', 'paying'],
    ['card', 'visa', 'mastercard', 'credit card', 'debit card'],
    ['pain', 'hurt', 'hurts', 'ache', 'sore', 'killing me'],
    ['afraid', 'scared', 'nervous', 'anxious', 'frightened', 'fear'],
    ['email', 'e mail', 'mail'],
    ['website', 'online', 'internet', 'web'],
    ['patient', 'client', 'customer'],
    ['register', 'sign up', 'join', 'enrol', 'enroll'],
    ['new', 'first time'],
    ['size', 'fit', 'inch'],
    ['long', 'duration', 'days'],
    ['urgent', 'urgently', 'emergency', 'as soon as possible', 'immediately'],
    ['shop', 'store'],
    ['dog', 'pet', 'puppy'],
    ['ready', 'finished', 'done', 'complete'],
    ['collect', 'pick up', 'pickup'],
    ['toilet', 'bathroom', 'restroom'],
    ['discount', 'offer', 'sale', 'deal'],
    ['menu', 'food', 'eat'],
    ['vegan', 'vegetarian'],
    ['doctor', 'physician', 'dr'],
    ['lawyer', 'attorney', 'solicitor'],
    ['room', 'accommodation'],
    ['wifi', 'wi fi', 'wireless'],
  ],
  da: [
    ['pris', 'koste', 'koster', 'priser', 'betaling for', 'dyrt', 'hvor meget'],
    ['reparation', 'reparere', 'reparerer', 'lave', 'fikse', 'lappe', 'lappet'],
    ['tid', 'bestille tid', 'aftale', 'booking', 'booke', 'tidsbestilling'],
    ['afbestille', 'aflyse', 'afmelde'],
    ['returnere', 'retur', 'bytte', 'penge tilbage', 'fortryde'],
    ['levering', 'levere', 'leverer', 'fragt', 'sende'],
    ['job', 'stilling', 'ansat', 'arbejde'],
    ['parkering', 'parkere', 'holde'],
    ['barn', 'born', 'borne'],
    ['garanti', 'reklamation'],
    ['gavekort', 'vaerdibevis'],
    ['leje', 'udlejning', 'lane'],
    ['faktura', 'regning', 'kvittering', 'bon'],
    ['stjalet', 'tyveri'],
    ['korestol', 'handicap', 'trapper'],
    ['betale', 'betaling', 'kort', 'mobilepay', 'kontant'],
    ['hund', 'kaeledyr'],
    ['faerdig', 'klar'],
    ['hente', 'afhente', 'afhentning'],
  ],
  de: [
    ['preis', 'kosten', 'kostet', 'preise', 'teuer', 'wie viel', 'wieviel'],
    ['reparatur', 'reparieren', 'flicken', 'kaputt'],
    ['termin', 'buchen', 'vereinbaren', 'reservieren', 'anmelden', 'buchung'],
    ['absagen', 'stornieren', 'verschieben'],
    ['ruckgabe', 'zuruckgeben', 'umtauschen', 'geld zuruck', 'umtausch'],
    ['lieferung', 'liefern', 'versand', 'zustellen'],
    ['stelle', 'job', 'arbeit', 'bewerben', 'stellen', 'bewerbung'],
    ['parken', 'parkplatz', 'parkplatze'],
    ['kind', 'kinder'],
    ['garantie', 'gewahrleistung'],
    ['gutschein', 'geschenkkarte', 'gutscheine'],
    ['mieten', 'verleih', 'leihen', 'ausleihen'],
    ['rechnung', 'quittung', 'beleg'],
    ['gestohlen', 'diebstahl', 'geklaut'],
    ['rollstuhl', 'barrierefrei', 'behindert', 'treppen'],
    ['zahlung', 'zahlen', 'bezahlen', 'karte', 'bar'],
    ['hund', 'haustier', 'hunde'],
    ['fertig', 'bereit'],
    ['abholen', 'abholung'],
  ],
};
