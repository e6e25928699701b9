import type { Vocabulary } from './vocabulary.ts';

const WHO = '(?<who>.+?)';

export const GERMAN: Vocabulary = {
  yes: /^(?:ja|jawohl|jep|jo|ja bitte|ja gern(?:e)?|gern(?:e)?|sehr gern(?:e)?|sicher|naturlich|selbstverstandlich|auf jeden fall|korrekt|genau|stimmt|das (?:stimmt|ist (?:richtig|korrekt|gut|in ordnung)|passt|ware (?:gut|schon|nett|toll))|machen sie das|tun sie das|richtig|in ordnung|unbedingt)\b/,
  weakYes: /^(?:okay|ok|gut|bitte|passt|super|schon|perfekt|alles klar|ja)\b/,
  no: /^(?:nein|ne|nee|noe|nein danke|nicht (?:richtig|ganz|jetzt|heute|notig|wirklich)|das (?:ist|war) (?:nicht|falsch)|das stimmt nicht|falsch|keins|keines|keiner|keine von|weder|lieber nicht|vergessen sie es)\b/,
  neitherYesNorNo:
    /^(?:kein problem|keine ahnung|weiss (?:ich )?nicht|das weiss ich nicht|gut(?:en)? (?:morgen|tag|abend))\b/,
  fillers: /\b(?:ah|ahm|hm|hmm|also|na ja|naja|tja|halt|mal|eben|nun|oh|eh|ehm|ahh)\b/g,
  backchannel:
    /^(?:(?:mm|mhm|hm|hmm|ah|aha|ach so|okay|ok|ja|jep|genau|stimmt|klar|gut|super|schon|alles klar|danke|verstehe|verstanden|perfekt|prima)(?: |$)){1,3}$/,
  small: {
    goodbye:
      /^(?:(?:okay|ok|gut|super|nein|danke|vielen dank|danke schon|das war(?:s| es| alles)?|alles|schonen (?:tag|abend|feierabend)(?: noch)?|schones wochenende|und|dann|na) ?)*(?:auf wieder ?(?:horen|sehen|schauen)|tschuss|tschus|tschau|ciao|bis (?:dann|bald|spater)|ich lege auf|servus)(?: (?:danke|dann))*$|^(?=.*\b(?:danke|alles|tag)\b)(?:[a-z]+ ){1,7}(?:auf wieder ?horen|tschuss)$/,
    thanks:
      /^(?:(?:okay|ok|gut|super|prima|perfekt) ?)*(?:danke|vielen dank|danke schon|danke sehr|herzlichen dank|besten dank|das hilft(?: mir)?)(?: (?:schon|sehr|fur .{0,30}))*$/,
    hello:
      /^(?:(?:hallo|hi|hey|gruss gott|servus|moin|gut(?:en)? (?:morgen|tag|abend)|sind sie (?:noch )?da|ist da jemand|horen sie mich|wie geht es ihnen) ?)+$/,
    wait: /^(?:(?:ah|ahm|entschuldigung|okay|bitte|konnen sie|ja) ?)*(?:einen? (?:moment|augenblick)|moment(?:chen)?(?: mal)?|warten sie(?: (?:mal|bitte|kurz|einen moment))*|sekunde|kurz warten|lassen sie mich (?:uberlegen|nachdenken|nachsehen|schauen).{0,30})(?: bitte| mal)*$/,
    repeat:
      /^(?:(?:entschuldigung|ah|ahm|bitte|was|okay|verzeihung) ?)*(?:(?:konnen|konnten|wurden) sie (?:(?:das|es|bitte|noch ?mals?|noch einmal) )*(?:sagen|wiederholen)|wiederholen(?: sie)?(?: (?:das|bitte|es))*|noch ?mals?(?: bitte)?|noch einmal(?: bitte)?|wie bitte|was haben sie gesagt|(?:wie|was|wie viel|wieviel|wann|wo) war (?:das|es|der [a-z]+|die [a-z]+) (?:noch ?mal|noch|gleich)|was|bitte|das habe ich (?:nicht|leider nicht) (?:verstanden|gehort)|ich habe (?:sie |das )?nicht verstanden)(?: bitte)?$/,
    robot:
      /\b(?:sind sie (?:ein |eine |wirklich |nur )*(?:roboter|maschine|computer|mensch|bot|ki|echt|automat)|spreche ich mit (?:einem |einer )*(?:roboter|maschine|computer|mensch(?:en)?|echten))/,
    name: /^(?:wie heissen sie|wer sind sie|wie ist ihr name)$/,
    company:
      /\b(?:welche (?:firma|praxis)|welches (?:geschaft|unternehmen)|mit wem spreche ich|wen habe ich (?:angerufen|erreicht)|wie heisst (?:die firma|ihre firma|das geschaft))\b|^(?:ist das|bin ich (?:bei|richtig bei)|habe ich) (?:der |die |das )?.{2,40}$/,
    address:
      /\b(?:wo (?:sind|ist|liegt|finde ich|befinde[nt] (?:sie )?sich) (?:sie|ihr (?:geschaft|buro|laden)|das (?:geschaft|buro)|der laden|die praxis|ihre praxis|euch|ihnen)|(?:ihre|die|deren) (?:genaue )?(?:adresse|anschrift)|adresse bitte|welche strasse|in welcher strasse|wie finde ich (?:sie|zu ihnen)|wie komme ich zu ihnen|wo sind sie)\b/,
    abilities:
      /^(?:was konnen sie(?: fur mich)?(?: tun| machen)?|wie konnen sie (?:mir )?helfen|hilfe|was sind meine moglichkeiten|ich brauche hilfe|konnen sie mir helfen)$/,
    people: /\b(?:mit wem kann ich sprechen|welche (?:abteilungen|personen)|wer arbeitet)\b/,
    done: /^(?:(?:nein|okay|ok|danke|super|vielen) ?)*(?:das war(?:s| es| alles)|das ist alles|sonst nichts|nichts (?:mehr|weiter|sonst)|ich habe keine fragen mehr|alles (?:gut|klar))(?: (?:danke|fur heute))*$/,
  },
  followUp: /^(?:(?:okay|ok|danke|gut) )*(?:und|was ist mit|wie ist es|oder|aber)\b/,
  cancel:
    /^(?:(?:ah|nein|okay|entschuldigung|ach) ?)*(?:vergessen sie(?: es| das)?|schon gut|egal|stopp?|abbrechen|lassen wir das|keine nachricht|hat sich erledigt)(?: bitte| danke)?$/,
  first: /\b(?:das |die |den |der )?erste[rns]?\b|^(?:nummer )?eins$/,
  second: /\b(?:das |die |den |der )?(?:zweite|letzte|andere)[rns]?\b|^(?:nummer )?zwei$/,
  both: /\bbeide[s]?\b/,
  neither: /\b(?:keins|keine[rs]? von|weder|etwas anderes|was anderes)\b/,
  human:
    /\b(?:(?:einem|einen|ein|richtigen|echten|lebenden|wirklichen) (?:echten |richtigen |wirklichen )?menschen?|echte person|^(?:mensch|mitarbeiter|zentrale)$|(?:nicht|nicht mehr) mit (?:einer |einem )?(?:maschine|roboter|computer|automaten))\b/,
  anybody:
    /^(?:jemand(?:em|en)?|irgend ?jemand(?:em|en)?|eine[mrn]? (?:mitarbeiter(?:in)?|kollegen|kollegin|person|von ihnen|menschen)|dem chef|der chefin)(?: (?:der|die) .{0,30})?$/,
  person: [
    /\b(?:mit|bei) (.+?) (?:sprechen|reden|verbinden|verbunden werden|telefonieren)\b/,
    /\bverbinden sie mich (?:bitte )?(?:mit|zu) (.+)$/,
    /\b(?:stellen sie mich (?:bitte )?(?:durch )?zu) (.+?)(?: durch)?$/,
  ],
  perhapsPerson: [
    /\b(?:erreiche ich|suche|mochte|hatte gern(?:e)?|brauche|geben sie mir) (?!eine |einen |ein |wissen|fragen|gerne? )(.+?)(?: sprechen| erreichen)?$/,
    /\bist (.+?) (?:da|im haus|zu sprechen|erreichbar|im buro|heute da|frei)(?: (?:heute|jetzt|gerade))*$/,
    /^(.+?) bitte$/,
  ],
  pronoun: /^(?:sie|ihnen|mich|mir|uns|ihn|ihm|ihr|es|das|dies|mein|etwas|was|nichts)\b/,
  besideName:
    /^(?:(?:mit|zu|zum|zur|von|vom|in|im|der|die|das|dem|den|ein|eine|einem|einer|herrn?|frau|doktor|dr|jemand|jemandem|bitte|direkt|wieder|hallo|guten|tag|ah|ja|nein|okay|ich|mochte|will|gerne?|abteilung|mitarbeiter) )+/,
  message: [
    new RegExp(
      String.raw`\b(?:eine |die |meine )?nachricht(?: fur ${WHO})??(?: (?:hinterlassen|aufnehmen|aufgeben|ausrichten|senden))(?: dass (?<what>.+))?$`,
    ),
    new RegExp(String.raw`\b(?:sagen|richten) sie (?:bitte )?${WHO} (?:bitte )?(?:aus )?dass (?<what>.+)$`),
    new RegExp(String.raw`\b${WHO} (?:etwas |was )?(?:ausrichten|bestellen)(?: dass (?<what>.+))?$`),
    /^(?:eine )?nachricht(?: bitte)?$/,
  ],
  callback: [
    new RegExp(
      String.raw`\b(?:kann|konnte|soll|mochte|bitten sie) (?:mich )?(?<who>[a-z]+(?: [a-z]+)?) (?:mich |bitte )*(?:zuruck ?rufen|anrufen)\b`,
    ),
    /\b(?:zuruck ?(?:rufen|gerufen)|ruckruf|rufen sie (?:mich|uns)(?: bitte)? (?:zuruck|an)|angerufen werden)\b/,
  ],
  sendText: /\b(?:sms|textnachricht|kurznachricht)\b|\b(?:schicken|senden) sie mir .{0,40}\blink/,
  ownName: [
    /\b(?:ich heisse|mein name ist|der name ist|mein name) (.+)$/,
    /^(?:(?:hallo|gut(?:en)? (?:tag|morgen|abend)|ja|ah) )*(?:hier ist|hier spricht|ich bin|das ist) (.+?)(?: hier)?$/,
    /^(.+?) (?:hier|am apparat)$/,
  ],
  afterName:
    /\b(?:und|von|aus|wegen|ich|mein|meine|auf|hier|mit|der|die|das|zu|zum|weil|aber|kann|konnen|mochte|ist|war|nummer|wir|in|fur|nicht|nur|so|es|habe|hat|rufe)\b/,
  matter: /\b(?:wegen|bezuglich|betreffend|es geht um|uber|um) (.+)$/,
  none: /^(?:(?:nein|entschuldigung|ich|ah) )*(?:mochte (?:ich )?nicht|lieber nicht|nicht notig|keine?|anonym|uberspringen)\b/,
  emergency: [
    /\b(?:es brennt|(?:haus|wohnung|kuche|buro) brennt|feuer (?:im|in))\b/,
    /\b(?:rufen sie|schicken sie|brauche|brauchen|holen sie) (?:einen? |die |den )?(?:krankenwagen|rettungswagen|notarzt|polizei|feuerwehr|rettungsdienst)\b/,
    /\b(?:keine luft|nicht (?:mehr )?atmen|atmet nicht|herzinfarkt|schlaganfall|herzstillstand|bewusstlos|blutet stark|brustschmerzen|erstickt|ersticke)\b/,
    /\b(?:(?:das|es) ist ein notfall|selbstmord|gasgeruch|riecht nach gas|umbringen)\b/,
  ],
  emergencyWord:
    /^(?:(?:hilfe|oh|gott|schnell|ein|eine|es|ist) ?)*(?:feuer|krankenwagen|notarzt|polizei|feuerwehr|notfall)(?: (?:bitte|hilfe|schnell))*$/,
  noEmergency:
    /\b(?:kein notfall|feuer(?:loscher|melder|versicherung|werk|zeug)|gestern|letzte(?:n|s)? (?:woche|monat|jahr))\b/,
  secrets:
    /\b(?:passwort|kennwort|pin(?: ?nummer| ?code)?|geheimzahl|karten ?nummer|kreditkarte(?:nnummer)?|prufziffer|sicherheitscode|sozialversicherungs ?nummer|personalausweis(?:nummer)?|ausweis ?nummer|reisepass|steuer ?(?:nummer|id))\b/,
  phoneNumber: /\b(?:telefon|telefonnummer|handy|handynummer|anrufen|erreichen|ruckruf|rufen)\b/,
  hours: {
    question: [
      /\b(?:offnungszeit(?:en)?|geschaftszeit(?:en)?|sprechzeit(?:en)?|sprechstunde)\b/,
      /\b(?:haben|hat|sind|ist) (?:sie|das geschaft|der laden|die praxis|ihr|da) (?:.{0,30} )?(?:offen|geoffnet|auf|geschlossen|zu)\b/,
      /\b(?:wann|wie lange|bis wann|um wie viel uhr|ab wann|von wann|wie spat) (?:.{0,20} )?(?:offnen|schliessen|offen|geoffnet|auf|zu|machen|da|geschlossen)\b/,
      /\b(?:offnen|schliessen) sie\b/,
      /\bkann ich (?:.{0,25} )?(?:vorbeikommen|kommen)\b/,
      /\bmittagspause\b/,
    ],
    opening: /\b(?:wann|ab wann|um wie viel uhr)\b.{0,30}\b(?:offnen|auf|kommen|machen sie auf)\b/,
    closing: /\b(?:wann|um wie viel uhr)\b.{0,30}\b(?:schliessen|zu)\b|\b(?:wie lange|bis wann)\b/,
    lunch: /\bmittag(?:spause)?\b|\bpause\b/,
    yesNo: /^(?:hallo |und |ah |entschuldigung )*(?:haben|hat|sind|ist|kann|offnen|schliessen|machen)\b/,
    holiday: /\bfeiertage?n?\b/,
  },
  times: {
    now: /\b(?:jetzt|gerade|im moment|momentan|noch (?:offen|geoffnet|auf))\b/,
    today: /\b(?:heute)\b/,
    tomorrow: /(?<!guten )\bmorgen\b/,
    dayAfterTomorrow: /\bubermorgen\b/,
    weekend: /\bwochenenden?\b/,
    next: /\bnachste[nrs]?\b/,
    weekdays: [
      /\bmontags?\b/,
      /\bdienstags?\b/,
      /\bmittwochs?\b/,
      /\bdonnerstags?\b/,
      /\bfreitags?\b/,
      /\b(?:samstags?|sonnabends?)\b/,
      /\bsonntags?\b/,
    ],
    months: [
      /\bjanuar\b/,
      /\bfebruar\b/,
      /\bmarz\b/,
      /\bapril\b/,
      /\bmai\b/,
      /\bjuni\b/,
      /\bjuli\b/,
      /\baugust\b/,
      /\bseptember\b/,
      /\boktober\b/,
      /\bnovember\b/,
      /\bdezember\b/,
    ],
    ordinals: {
      erste: 1,
      ersten: 1,
      zweiten: 2,
      dritten: 3,
      vierten: 4,
      funften: 5,
      sechsten: 6,
      siebten: 7,
      achten: 8,
      neunten: 9,
      zehnten: 10,
      elften: 11,
      zwolften: 12,
      dreizehnten: 13,
      vierzehnten: 14,
      funfzehnten: 15,
      sechzehnten: 16,
      siebzehnten: 17,
      achtzehnten: 18,
      neunzehnten: 19,
      zwanzigsten: 20,
      einundzwanzigsten: 21,
      zweiundzwanzigsten: 22,
      dreiundzwanzigsten: 23,
      vierundzwanzigsten: 24,
      funfundzwanzigsten: 25,
      sechsundzwanzigsten: 26,
      siebenundzwanzigsten: 27,
      achtundzwanzigsten: 28,
      neunundzwanzigsten: 29,
      dreissigsten: 30,
      einunddreissigsten: 31,
    },
    clock: [
      { pattern: /\bhalb (?<hour>\d{1,2})\b/, add: -30 },
      { pattern: /\bviertel nach (?<hour>\d{1,2})\b/, add: 15 },
      { pattern: /\b(?:viertel vor|dreiviertel) (?<hour>\d{1,2})\b/, add: -15 },
      { pattern: /\b(?<hour>\d{1,2}) uhr(?: (?<minute>[0-5]?\d))?\b/, add: 0 },
      { pattern: /\b(?:um|gegen|nach|vor|bis) (?<hour>\d{1,2})\b(?! (?:minuten|stunden|tage))/, add: 0 },
    ],
    noon: /\b(?:mittags)\b/,
    midnight: /\bmitternacht\b/,
    pm: /\b(?:nachmittags?|abends?)\b/,
    am: /\b(?:morgens|vormittags?|fruh)\b/,
    when: /(?:\bheute(?: (?:vormittag|nachmittag|abend))?|\bmorgen(?: (?:früh|vormittag|nachmittag|abend))?|\bübermorgen\b|\b(?:am |nächsten )?(?:mon|diens|donners|frei|sams|sonn)tag(?:vormittag|nachmittag|abend)?|\b(?:am )?mittwoch\b|\b(?:um|nach|vor|gegen|ab|zwischen) (?:halb |viertel nach |viertel vor )?(?:\d{1,2}(?:[:.]\d{2})?|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?: uhr)?(?: \d{1,2})?|\bin (?:einer|einer halben|\d+|zwei|drei) (?:stunden?|minuten)\b|\bspäter\b|\bso bald wie möglich\b|\bnächste woche\b)/gi,
    change: /\b(?:verschieben|verlegen|legen|andern|lieber|stattdessen|besser)\b|\b(?:das|es) auf\b/,
  },
  numbers: {
    digits: {
      null: '0',
      eins: '1',
      ein: '1',
      zwei: '2',
      zwo: '2',
      drei: '3',
      vier: '4',
      funf: '5',
      sechs: '6',
      sieben: '7',
      acht: '8',
      neun: '9',
      zehn: '10',
      elf: '11',
      zwolf: '12',
      dreizehn: '13',
      vierzehn: '14',
      funfzehn: '15',
      sechzehn: '16',
      siebzehn: '17',
      achtzehn: '18',
      neunzehn: '19',
    },
    tens: { zwanzig: 20, dreissig: 30, vierzig: 40, funfzig: 50, sechzig: 60, siebzig: 70, achtzig: 80, neunzig: 90 },
    onesAndTens:
      /^(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun)und(zwanzig|dreissig|vierzig|funfzig|sechzig|siebzig|achtzig|neunzig)$/,
    hundred: /^hundert$/,
    thousand: /^tausend$/,
    plus: /^plus$/,
    double: /^(?:doppelt|doppel|zweimal)$/,
    triple: /^dreimal$/,
  },
  question:
    /^(?:(?:und|hallo|guten tag|okay|aber|also|ah) )*(?:was|wann|wo|wer|warum|welche[rs]?|wie|wieviel|ist|sind|haben|hat|kann|konnen|konnte|darf|muss|gibt|kostet|nehmen|bieten|verkaufen|machen|reparieren)\b/,
  unfinished:
    /\b(?:meine (?:telefon|handy)?nummer ist|mein name ist|ich heisse|und|oder|aber|weil|dass|ah|ahm|der|die|das|dem|den|ein|eine|einen|zu|fur|mit|auf|in|am|von|ist|mein|meine|ihr|ihre|ich|wenn|plus|doppel|konnen sie|ich mochte|ich wurde gerne)$/,
};
