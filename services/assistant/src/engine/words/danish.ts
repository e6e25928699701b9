import type { Vocabulary } from './vocabulary.ts';

const WHO = '(?<who>.+?)';

export const DANISH: Vocabulary = {
  yes: /^(?:ja|jo|jep|jada|ja tak|jo tak|selvfolgelig|naturligvis|bestemt|korrekt|praecis|netop|det er (?:rigtigt|korrekt|fint|godt|i orden)|det (?:stemmer|passer|lyder godt|vil jeg gerne|ma du gerne|gor det)|gerne|meget gerne|gor det|det er det)\b/,
  weakYes: /^(?:okay|ok|fint|godt|super|rigtigt|ja|tak|perfekt)\b/,
  no: /^(?:nej|naeh|niks|nej tak|ikke (?:rigtigt|helt|nu|i dag|nodvendigt|endnu)|det er (?:ikke|forkert)|det var (?:ikke|forkert)|det (?:stemmer|passer) ikke|forkert|ingen af|glem det|hellere ikke|helst ikke)\b/,
  neitherYesNorNo: /^(?:det ved jeg ikke|ved ikke|ikke sikker|god(?:dag| dag| morgen|morgen| aften))\b/,
  fillers: /\b(?:oh|ehm|hm|hmm|altsa|jamen|nah|na|sa|jo|lige|og sa|ja altsa|eh|ah)\b/g,
  backchannel:
    /^(?:(?:mm|mhm|hm|hmm|oh|ah|aha|okay|ok|ja|jep|jo|rigtigt|klart|fint|godt|super|na|nah|tak|perfekt|jeg forstar|forstaet)(?: |$)){1,3}$/,
  small: {
    goodbye:
      /^(?:(?:okay|ok|fint|super|nej|tak|mange|for hjaelpen|det var (?:det|alt|bare det)|ellers|ikke mere|hav en (?:god|dejlig) (?:dag|aften|weekend)|og|sa) ?)*(?:farvel|hej hej|hej da|vi ses|ha det|ha det godt|vi tales ved|jeg laegger pa)(?: (?:tak|igen|da))*$|^(?=.*\b(?:tak|alt|dag)\b)(?:[a-z]+ ){1,7}(?:farvel|hej hej)$/,
    thanks:
      /^(?:(?:okay|ok|fint|super|godt|perfekt) ?)*(?:tak|mange tak|tusind tak|tak for (?:det|hjaelpen)|det var en hjaelp)(?: (?:skal du have|for det|igen))*$/,
    hello:
      /^(?:(?:hej|halloj?|goddag|god (?:morgen|dag|aften|eftermiddag)|godmorgen|er du der|er der nogen|kan du hore mig|hvordan gar det) ?)+$/,
    wait: /^(?:(?:oh|undskyld|okay|lige|vil du|kan du|ja) ?)*(?:et ojeblik|to sekunder|lige et ojeblik|vent(?: lige)?(?: lidt| et ojeblik)?|to minutter|lad mig (?:lige )?(?:taenke|se|tjekke|finde)(?: (?:det|mit|min).{0,30})?)(?: tak)?$/,
    repeat:
      /^(?:(?:undskyld|oh|hvad|okay|vent|jeg) ?)*(?:kan du (?:gentage|sige) (?:det)?(?: igen| en gang til)?|gentag(?: det)?|sig det igen|en gang til|hvad sagde du|hvad siger du|(?:hvad|hvor meget|hvornar|hvor) var (?:det|prisen|adressen) (?:nu(?: igen)?|igen)|hvad|hvabehar|undskyld|det (?:horte|forstod|fangede) jeg ikke|(?:jeg )?(?:horte|forstod|fangede) (?:det |dig )?ikke(?: det)?)(?: tak| igen)?$/,
    robot:
      /\b(?:er du (?:en |et |virkelig |bare )*(?:robot|maskine|computer|menneske|person|bot|ai|rigtig|automat)|taler jeg med (?:en |et )*(?:robot|maskine|computer|menneske|rigtig|person))/,
    name: /^(?:hvad hedder du|hvem er du|hvad er dit navn)$/,
    company:
      /\b(?:hvilket (?:firma|selskab)|hvilken (?:virksomhed|butik|forretning|klinik)|hvem (?:taler jeg med|har jeg ringet til)|hvad hedder (?:firmaet|virksomheden|butikken|I))\b|^(?:er det|har jeg ringet til) .{2,40}$/,
    address:
      /\b(?:hvor (?:ligger|er|bor|holder) (?:i(?: til)?|i henne|butikken|forretningen|kontoret|klinikken|du)|hvad er (?:jeres|adressen)|(?:jeres|din) adresse|adressen|hvilken (?:gade|vej)|hvor finder jeg jer|hvordan finder jeg jer)\b/,
    abilities:
      /^(?:hvad kan du(?: hjaelpe med| gore)?|hvordan kan du hjaelpe(?: mig)?|hjaelp(?: mig)?|hvad er mine muligheder|jeg har brug for hjaelp|kan du hjaelpe(?: mig)?)$/,
    people: /\b(?:hvem kan jeg tale med|hvilke (?:afdelinger|personer)|hvem arbejder)\b/,
    done: /^(?:(?:nej|okay|ok|tak|super) ?)*(?:det var (?:det|alt|bare det)|ikke (?:andet|mere)|ellers ikke|jeg har ikke mere|det er fint)(?: (?:tak|for nu|for i dag))*$/,
  },
  followUp: /^(?:(?:okay|ok|tak|fint|godt) )*(?:og|hvad med|eller|men)\b/,
  cancel:
    /^(?:(?:oh|nej|okay|undskyld) ?)*(?:glem det|lige meget|stop|annuller(?: det)?|det gor ikke noget|jeg har fortrudt|ingen besked|drop det)(?: tak| igen)?$/,
  first: /\b(?:den |det )?forste\b|^(?:nummer )?(?:en|et)$/,
  second: /\b(?:den |det )?(?:anden|andet|sidste)\b|^(?:nummer )?to$/,
  both: /\bbegge\b/,
  neither: /\b(?:ingen af|noget andet|hverken)\b/,
  human:
    /\b(?:(?:et |en )?(?:rigtigt?|levende|virkelig) (?:menneske|person|medarbejder)|(?:et|med et) menneske|^(?:menneske|omstilling|medarbejder)$|(?:ikke|gider ikke|vil ikke) (?:tale |snakke )?(?:med )?(?:en |et )?(?:maskine|robot|computer))\b/,
  anybody:
    /^(?:nogen|en (?:medarbejder|kollega|person|af jer|der kan hjaelpe)|en anden|et menneske|chefen)(?: (?:der|som) .{0,30})?$/,
  person: [
    /\b(?:tale|snakke) med (.+)$/,
    /\b(?:stille mig (?:om|ind|igennem)|viderestille mig|stil mig (?:om|ind|igennem)|omstilles|stilles (?:om|igennem|ind)|forbinde mig) (?:til|med) (.+)$/,
    /\b(?:fa fat (?:i|pa)|ringer til|prover at fa fat (?:i|pa)|leder efter) (.+)$/,
  ],
  perhapsPerson: [
    /\b(?:er) (.+?) (?:der|hjemme|til stede|ledig|pa kontoret|der i dag|at traeffe)(?: (?:i dag|nu|lige nu))*$/,
    /^(?:giv mig) (.+)$/,
    /^(.+?) (?:tak)$/,
  ],
  pronoun: /^(?:du|dig|jer|mig|os|ham|hende|dem|det|den|dette|min|mit|noget|ingenting)\b/,
  besideName:
    /^(?:(?:til|med|fra|i|en|et|den|det|hr|fru|doktor|nogen|der|hedder|tak|direkte|igen|hej|goddag|oh|ja|nej|okay|jeg|vil|gerne|skal|afdelingen|medarbejder) )+/,
  message: [
    new RegExp(
      String.raw`\b(?:laegge|give|tage|modtage|efterlade|sende|tag|laeg) (?:imod )?(?:en |min |et )?(?:besked|beskeder)(?: imod)?(?: til ${WHO})??(?: (?:om at|at|om|der siger) (?<what>.+))?$`,
    ),
    new RegExp(String.raw`\bgive? ${WHO} (?:en )?besked(?: om)?(?: at)?(?: (?<what>.+))?$`),
    new RegExp(
      String.raw`^(?:kan du |vil du |gider du |venligst |hej )*(?:sige til|sig til|fortael|fortaelle) ${WHO} at (?<what>.+)$`,
    ),
    /^(?:en )?besked(?: tak)?$/,
  ],
  callback: [
    new RegExp(
      String.raw`\b(?:kan|vil|bed|fa) (?<who>[a-z]+(?: [a-z]+)?) (?:om at )?(?:til at )?ringe (?:mig op|til mig|tilbage)\b`,
    ),
    /\b(?:ring(?:e|es|er)?|blive ringet) (?:mig )?(?:op|tilbage)\b/,
    /\b(?:ringes op|opringning)\b/,
  ],
  sendText: /\b(?:sms|en besked med|tekstbesked)\b|\bsende? mig .{0,40}\blink/,
  ownName: [
    /\b(?:jeg hedder|mit navn er|navnet er) (.+)$/,
    /^(?:(?:hej|goddag|ja|oh) )*(?:det er|du taler med|her er) (.+?)(?: her)?$/,
    /^(.+?) her$/,
  ],
  afterName:
    /\b(?:og|fra|ringer|om|jeg|min|mit|pa|her|med|af|til|angaende|fordi|men|kan|vil|er|var|den|det|som|der|nummer|i|for|ikke|lige|sa|har|havde|dette)\b/,
  matter: /\b(?:om|angaende|vedrorende|fordi|pa grund af) (.+)$/,
  none: /^(?:(?:nej|undskyld|jeg|oh) )*(?:vil ikke|helst ikke|ikke nodvendigt|intet|ingen|anonym|spring over)\b/,
  emergency: [
    /\b(?:det braender|der er (?:ild|brand)|huset braender|i brand|ild i (?:mit|vores|huset|kokkenet))\b/,
    /^(?:(?:oh|gud|hurtigt|hej) )*hjaelp\b(?! (?:mig|os) (?:med|til)\b).{0,40}\b(?:brand|braender|ild|ambulance|politi|bloder|dor|vejret)\b/,
    /\b(?:er faldet om|er besvimet|overdosis|traekker ikke vejret|reagerer ikke)\b/,
    /\b(?:ring|send|brug for|tilkald)(?: efter| til)? (?:en )?(?:ambulance|politi(?:et)?|brandvaesen(?:et)?)\b/,
    /\b(?:kan ikke (?:traekke vejret|fa vejret)|traekker ikke vejret|hjertestop|hjerteanfald|blodprop|bevidstlos|bloder (?:kraftigt|meget)|brystsmerter)\b/,
    /\b(?:nodsituation|selvmord|gaslugt|lugter af gas)\b/,
  ],
  emergencyWord:
    /^(?:(?:hjaelp|oh|gud|hurtigt|en|et|der|er) ?)*(?:brand|ild|ambulance|politi|politiet|nodsituation)(?: (?:hjaelp|hurtigt|nu))*$/,
  noEmergency:
    /\b(?:ikke en nodsituation|brand(?:alarm|slukker|dor|ovelse|forsikring)|i gar|sidste (?:uge|maned|ar))\b/,
  secrets:
    /\b(?:adgangskode|kodeord|password|pin ?kode(?:n)?|pin|kort ?nummer|kreditkort|dankort|sikkerhedskode|kontrolcifre|cpr(?: ?nummer)?|personnummer|pas ?nummer|kore ?kort)\b/,
  phoneNumber: /\b(?:telefon|telefonnummer|mobil|ring|ringe|tlf|traeffes)\b/,
  hours: {
    question: [
      /\b(?:abningstid(?:er|erne)?|lukketid(?:er)?)\b/,
      /\b(?:har i|er i|er der|er butikken|holder i|er det|har du) (?:.{0,30} )?(?:abent?|lukket)\b/,
      /\b(?:hvornar|hvad tid|hvor laenge|til hvad tid|hvor sent|hvor tidligt) (?:.{0,20} )?(?:abner|lukker|abent?|abne|lukket)\b/,
      /\b(?:abner|lukker) (?:i|butikken)\b/,
      /\bkan jeg komme (?:forbi )?(?:i dag|i morgen|nu|klokken|pa|om)\b/,
      /\bfrokost(?:pause|lukket)\b/,
    ],
    opening: /\b(?:hvornar|hvad tid|hvor tidligt)\b.{0,30}\b(?:abner|abne|komme)\b/,
    closing: /\b(?:hvornar|hvad tid)\b.{0,30}\blukker\b|\b(?:hvor laenge|hvor sent|til hvad tid|hvor laenge)\b/,
    lunch: /\bfrokost|\bpause\b/,
    yesNo: /^(?:hej |og |oh |undskyld )*(?:har|er|holder|kan|abner|lukker)\b/,
    holiday: /\bhelligdag(?:e|ene)?\b/,
  },
  times: {
    now: /\b(?:lige nu|nu|i ojeblikket|stadig)\b/,
    today: /\b(?:i dag|i aften|i eftermiddag|i formiddag)\b/,
    tomorrow: /\bi morgen\b/,
    dayAfterTomorrow: /\bi overmorgen\b/,
    weekend: /\bweekend(?:en|er)?\b/,
    next: /\bnaeste\b/,
    weekdays: [
      /\bmandag(?:e|en)?\b/,
      /\btirsdag(?:e|en)?\b/,
      /\bonsdag(?:e|en)?\b/,
      /\btorsdag(?:e|en)?\b/,
      /\bfredag(?:e|en)?\b/,
      /\blordag(?:e|en)?\b/,
      /\bsondag(?:e|en)?\b/,
    ],
    months: [
      /\bjanuar\b/,
      /\bfebruar\b/,
      /\bmarts\b/,
      /\bapril\b/,
      /\bmaj\b/,
      /\bjuni\b/,
      /\bjuli\b/,
      /\baugust\b/,
      /\bseptember\b/,
      /\boktober\b/,
      /\bnovember\b/,
      /\bdecember\b/,
    ],
    ordinals: {
      forste: 1,
      anden: 2,
      tredje: 3,
      fjerde: 4,
      femte: 5,
      sjette: 6,
      syvende: 7,
      ottende: 8,
      niende: 9,
      tiende: 10,
      ellevte: 11,
      tolvte: 12,
      trettende: 13,
      fjortende: 14,
      femtende: 15,
      sekstende: 16,
      syttende: 17,
      attende: 18,
      nittende: 19,
      tyvende: 20,
      enogtyvende: 21,
      toogtyvende: 22,
      treogtyvende: 23,
      fireogtyvende: 24,
      femogtyvende: 25,
      seksogtyvende: 26,
      syvogtyvende: 27,
      otteogtyvende: 28,
      niogtyvende: 29,
      tredivte: 30,
      enogtredivte: 31,
    },
    clock: [
      { pattern: /\bhalv (?<hour>\d{1,2})\b/, add: -30 },
      { pattern: /\bkvart over (?<hour>\d{1,2})\b/, add: 15 },
      { pattern: /\bkvart i (?<hour>\d{1,2})\b/, add: -15 },
      {
        pattern:
          /\b(?:klokken|kl|ved|efter|for|omkring) (?<hour>\d{1,2})(?: (?<minute>[0-5]\d))?\b(?! (?:minutter|timer|dage))/,
        add: 0,
      },
    ],
    noon: /\b(?:middag|klokken tolv)\b/,
    midnight: /\bmidnat\b/,
    pm: /\b(?:om (?:eftermiddagen|aftenen)|i (?:eftermiddag|aften))\b/,
    am: /\b(?:om (?:morgenen|formiddagen)|i formiddag)\b/,
    when: /(?:\bi dag\b|\bi morgen(?: (?:tidlig|formiddag|eftermiddag))?|\bi (?:aften|eftermiddag|formiddag|overmorgen)\b|\b(?:på |næste )?(?:man|tirs|ons|tors|fre|lør|søn)dag(?: (?:morgen|formiddag|eftermiddag|aften))?|\b(?:klokken|kl\.?|efter|før|omkring|mellem) (?:halv |kvart over |kvart i )?(?:\d{1,2}(?:[:.]\d{2})?|et|to|tre|fire|fem|seks|syv|otte|ni|ti|elleve|tolv|frokost)\b|\bom (?:en|en halv|\d+|to|tre) (?:time|timer|minutter)\b|\bsenere\b|\bhurtigst muligt\b|\bnæste uge\b)/gi,
    change: /\b(?:gore|lave|flytte|flyt|rykke|ryk|andre) det\b|\b(?:hellere|i stedet|bedre)\b/,
  },
  numbers: {
    digits: {
      nul: '0',
      en: '1',
      et: '1',
      to: '2',
      tre: '3',
      fire: '4',
      fem: '5',
      seks: '6',
      syv: '7',
      otte: '8',
      ni: '9',
      ti: '10',
      elleve: '11',
      tolv: '12',
      tretten: '13',
      fjorten: '14',
      femten: '15',
      seksten: '16',
      sytten: '17',
      atten: '18',
      nitten: '19',
    },
    tens: { tyve: 20, tredive: 30, fyrre: 40, halvtreds: 50, tres: 60, halvfjerds: 70, firs: 80, halvfems: 90 },
    onesAndTens:
      /^(en|et|to|tre|fire|fem|seks|syv|otte|ni)og(tyve|tredive|fyrre|halvtreds|tres|halvfjerds|firs|halvfems)$/,
    hundred: /^hundrede?$/,
    thousand: /^tusind$/,
    plus: /^plus$/,
    double: /^dobbelt$/,
    triple: /^tredobbelt$/,
  },
  question:
    /^(?:(?:og|hej|goddag|okay|men|sa|oh) )*(?:hvad|hvornar|hvor|hvem|hvorfor|hvilken|hvilket|hvilke|hvordan|er|har|kan|ma|vil|skal|gor|findes|holder|koster|tager|sender|saelger)\b/,
  unfinished:
    /\b(?:mit (?:telefon)?nummer er|mit navn er|jeg hedder|og|eller|men|fordi|sa|oh|ehm|en|et|den|det|at|til|for|med|pa|i|om|fra|er|min|mit|din|jeg|som|hvis|nar|plus|dobbelt|kan du|jeg vil gerne)$/,
};
