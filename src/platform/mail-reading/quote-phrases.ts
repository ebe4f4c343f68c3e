// The phrases of mailers above quotes, below their text, and in the headers of earlier mails, in the languages of Europe and in Turkish, Hebrew,
// Arabic, Chinese, Japanese, Korean, Thai, Vietnamese and Indonesian.

/** The verb in "Ada wrote:". */
export const attributionVerb = new RegExp(
  [
    '(?<!\\p{L})(wrote|writes|schrieb|geschrieben|geschreven|schreef|skrifaði|geskryf|sumulat|parašė|escribiu|schrijft|escribi[oó]|escreveu|scrive|skrev|skriver|kirjoitti|pisze|napsala?|nap[ií]sala?|napisao|napisala|pi[sš]e)(?!\\p{L})',
    'a [eé]crit|ha scritto|ha escrit|va escriure|a scris|napisa[łl]\\(?a?\\)?|napsal\\(a\\)|nap[ií]sal\\(a\\)|ezt [ií]rta|[ií]rta|şunu yazdı|yazdı|idatzi du|rašė|rakstīja|kirjutas',
    'написал|пишет|писал|написав|пише|написа|έγραψε|כתב|كتب|写道|寫道|写了|のメール|さんは書きました|書きました|님이 작성|작성|เขียน|đã viết|menulis'
  ].join('|'),
  'iu'
)

const fromNames =
  'from|von|de|da|van|från|fra|lähettäjä|od|feladó|de la|от|від|kimden|gönderen|από|מאת|من|发件人|寄件者|寄件人|差出人|보낸 ?사람|จาก|từ|dari|nuo|no|saatja|отправитель|expéditeur|remitente|mittente|absender|afzender|avsändare|avsender|afsender|odesílatel|odosielateľ|nadawca'
const otherNames =
  'sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|kopie|antwort an|envoyé|envoyé le|à|objet|sujet|copie( à)?|date d’envoi|enviado|enviado el|enviada em|fecha|para|asunto|data|assunto|inviato|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|dato|lähetetty|vastaanottaja|aihe|päivämäärä|wysłano|wysłane|do|temat|dw|odesláno|komu|předmět|dátum|odoslané|predmet|elküldve|címzett|tárgy|dátum|trimis|către|subiect|отправлено|дата|кому|тема|копия|надіслано|копія|gönderildi|gönderilme tarihi|tarih|kime|konu|στάλθηκε|ημερομηνία|προς|θέμα|נשלח|תאריך|אל|נושא|تم الإرسال|التاريخ|إلى|الموضوع|发送时间|发送日期|日期|收件人|抄送|主题|寄件日期|傳送日期|收件者|副本|主旨|送信日時|送信日|日時|宛先|件名|보낸 ?날짜|날짜|받는 ?사람|제목|참조|ส่ง|ถึง|เรื่อง|đã gửi|tới|chủ đề|terkirim|kepada|subjek'

/** A line that can only begin an attribution: "On Nov 21, 2014,". */
export const attributionBegins =
  /^(on|am|le|el|il|em|op|den|dne|dnia|w dniu|pe|в)\s[\p{L}\s.,/-]{0,20}\d{1,4}[\p{L}\s.,/\d-]{0,20},$/iu

/** "From: Ada", also in bold. */
export const fromLabel = new RegExp(`^[>\\s*]*(${fromNames})\\s?\\*?\\s?[:：]\\*?\\s*\\S`, 'iu')
export const otherLabel = new RegExp(`^[>\\s*]*(${otherNames})\\s?\\*?\\s?[:：]\\*?`, 'iu')

/** The name of the sender or subject field at the beginning of a line without quotes and bold text. */
export const fromName = new RegExp(`^(${fromNames})\\s?[:：]`, 'iu')
export const subjectName =
  /^(subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|tárgy|subiect|тема|konu|θέμα|נושא|الموضوع|主题|主旨|件名|제목|เรื่อง|chủ đề|subjek)\s?[:：]/iu

/** "-----Original Message-----" */
export const originalMarks =
  /^[-_=\s*]{2,}(original(e|nachricht)?|ursprüngliche|message d['’]origine|message original|mensaje original|mensagem original|messaggio originale|oorspronkelijk|ursprungligt|originalmeddelande|oprindelig|opprinnelig|alkuperäinen|wiadomość oryginalna|oryginalna|původní|pôvodná|eredeti|mesaj original|исходное|пересылаемое|оригинальное|оригінальне|orijinal|αρχικό|הודעה מקורית|الرسالة الأصلية|原始邮件|原始郵件|原邮件|元のメッセージ|original ?message|원본|ข้อความต้นฉบับ|thư gốc|pesan asli)[^\n]{0,40}?[-_=\s*]{2,}$/iu

/** "##- Please write your answer above this line -##": the first line of our e-mails and of other desks', in any language. */
export const replyMark = /^[>\s*]*##-\s.{1,120}\s-##\*?$/u

/** The separators above a forwarded mail. */
export const forwardedMarks =
  /^([-_=\s*]{2,}.{0,10}|begin )?(forwarded message|fwd?|weitergeleitete (nachricht|message)|message transféré|mensaje reenviado|mensagem (encaminhada|reencaminhada)|messaggio inoltrato|doorgestuurd bericht|vidarebefordrat meddelande|videresendt|välitetty viesti|wiadomość przekazana|přeposlaná zpráva|továbbított|mesaj redirecționat|пересылаемое сообщение|переслане|iletilen|προωθημένο|הודעה שהועברה|رسالة معاد|转发|轉寄|转寄|転送|전달된|anfang der weitergeleiteten|début du message (réexpédié|transféré)|inizio messaggio inoltrato|begin doorgestuurd)/iu

/** "Sent from my iPhone", and what other programs add. */
export const mobileSignature =
  /^[-_\s]*((sent|gesendet|envoyé|enviado|inviato|verstuurd|verzonden|skickat|sendt|lähetetty|wysłan[eoy]|odesláno|poslané|elküldve|küldve|trimis|отправлено|надіслано)(?!\p{L}).{0,12}(?<!\p{L})(from|via|with|using|von|mit|de|du|desde|do|da|dal|vanaf|via|från|fra|ze?|z|с|из|з)(?!\p{L}).{1,80}|von meinem .{1,60} gesendet|diese nachricht wurde von meinem .{1,80} gesendet|get outlook for \w+.{0,60}|outlook für \w+ (beschaffen|herunterladen|holen).{0,60}|(télécharger|obtenez) outlook pour .{1,60}|obtener outlook para .{1,60}|scarica outlook per .{1,60}|(download|verkrijg) outlook voor .{1,60}|.{1,20}['’](u|ı|umd[ae]n|imd[ae]n).{0,20}gönderildi|iphone'?umdan gönderildi|iPhoneから送信|.{0,30}から送信|发自我的.{1,30}|從我的.{1,30}傳送|나의 .{1,30}에서 보냄|.{1,30}에서 보냄|lähetetty .{1,30}(sta|stä)|נשלח מה.{1,30}|أرسل(ت)? من .{1,30}|gửi từ .{1,30}|stammt von meinem .{1,40})\.?$/iu
