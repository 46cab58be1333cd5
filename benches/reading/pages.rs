//! Ten pages of the kinds that people have read: each with what surrounds such a page, and with the
//! words of its main text and of its surroundings by which it is judged.

/// A page, and what of it is main text.
pub(crate) struct Made {
    /// What kind it is.
    pub name: String,
    /// The page.
    pub markup: String,
    /// What its main text must have.
    pub main: &'static [&'static str],
    /// What surrounds it.
    pub around: &'static [&'static str],
}

/// Returns the pages.
pub(crate) fn made() -> Vec<Made> {
    vec![
        news(),
        chinese_news(),
        blog_with_code(),
        recipe(),
        manual(),
        forum(),
        product(),
        shop_list(),
        old_layout(),
        chinese_encyclopedia(),
    ]
}

const MENU: &str = "<header class=site-header><a class=logo href=/><img src=/l.png alt=Logo></a>\
    <nav class=main-nav><ul><li><a href=/news>Latest</a><li><a href=/sport>Sport</a>\
    <li><a href=/login>Log in</a></ul></nav></header><div class=cookie-banner>We value your privacy \
    <button>Accept all</button></div>";
const FOOT: &str = "<aside class=related><h3>Most read</h3><ul><li><a href=/1>Ten beaches</a>\
    <li><a href=/2>Cheap flights</a></ul></aside><div class='ad banner'>Advertisement: new phones</div>\
    <footer><p>© 2026 Example Media. <a href=/imprint>Imprint</a></p></footer>";

fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title>\
         <style>.ad{{color:red}}</style><script>if (a<b) {{ track('<p>') }}</script></head><body>{MENU}\
         {body}{FOOT}<script src=/late.js></script></body></html>"
    )
}

fn paragraphs(texts: &[&str]) -> String {
    let paragraphs: Vec<String> = texts
        .iter()
        .map(|text| format!("<p>{text}</p>\n"))
        .collect();
    paragraphs.concat()
}

const HARBOUR: [&str; 5] = [
    "The city council decided on Tuesday evening to close the old harbour to ships for three months, \
     so that the quay walls, which are from 1931, can be repaired before the winter storms.",
    "The work costs <b>4.2&nbsp;million euros</b>, two thirds of which the state pays. Divers found \
     cracks up to nine centimetres wide in the western wall, the council's engineer said.",
    "Fishing boats move to the <a href=/places/east-basin>eastern basin</a> meanwhile. Their owners \
     had asked for a shorter closure, because the herring season begins in October.",
    "\u{201c}We would rather have lost a week than a season,\u{201d} said Maren Oltmanns, who owns two \
     boats. The council promised to hear the owners again in August.",
    "A public meeting is on 14 May at seven in the town hall. Plans can be seen there from Monday on, \
     and on the pages of the harbour authority.",
];

fn news() -> Made {
    let body = format!(
        "<main><article class=story><h1>Old harbour closes for three months</h1><div class=byline>By A. \
         Reporter, 5 May 2026</div>{}<h2>What happens next</h2>{}</article><section class=comments>\
         <h3>Comments (2)</h3><p>What a waste of money, as always!</p></section></main>",
        paragraphs(&HARBOUR[..3]),
        paragraphs(&HARBOUR[3..])
    );
    Made {
        name: "news".to_owned(),
        markup: page("Old harbour closes for three months | Example News", &body),
        main: &[
            "4.2 million euros",
            "What happens next",
            "herring season",
            "14 May",
        ],
        around: &["Accept all", "Ten beaches", "new phones", "waste of money"],
    }
}

fn chinese_news() -> Made {
    let texts = [
        "市政府星期二宣布，地铁七号线将于今年十月一日开通，全长二十八公里，共设二十一座车站，其中六座为换乘站。",
        "据介绍，线路建设历时四年，总投资约一百九十亿元。开通后，从东湖到机场的时间将从七十分钟缩短到三十五分钟。",
        "票价沿用现行标准，起步价三元。六十五岁以上老人和身高一米三以下的儿童免费乘车，学生凭证半价。",
        "市民可以在九月十五日至二十日参加试乘，报名方式将在地铁集团的网站上公布，每天限额两万人。",
    ];
    let body = format!(
        "<div class=breadcrumb>首页 &gt; 新闻 &gt; 城市</div><div class=article-content><h1>地铁七号线十月一日开通\
         </h1><div class=meta>来源：城市日报 2026-08-04</div>{}</div><div class=share>分享到微信</div>",
        paragraphs(&texts)
    );
    Made {
        name: "chinese news".to_owned(),
        markup: page("地铁七号线十月一日开通_城市日报", &body),
        main: &["二十八公里", "一百九十亿元", "免费乘车", "两万人"],
        around: &["Accept all", "Ten beaches", "new phones"],
    }
}

fn blog_with_code() -> Made {
    let texts = [
        "Last week one of our services answered every tenth request half a second late, and nothing in its \
         own figures said so. This is how we found the reason, and what we changed.",
        "The garbage collector was not it: its pauses were below two milliseconds all day. What gave it \
         away was a trace of system calls, in which <code>fsync_range</code> took 480 ms at regular times.",
        "Another program on the same disk wrote its checkpoints with one large flush. We gave it a limit, \
         and the late answers were gone within the hour.",
    ];
    let body = format!(
        "<article class='post h-entry'><h1 class=p-name>The disk that was somebody else's</h1>{}<pre><code \
         class=language-rust>fn flush(file: &amp;File) -&gt; io::Result&lt;()&gt; {{\n    for part in 0..8 {{\n        \
         file.sync_part(part)?;\n    }}\n    Ok(())\n}}</code></pre>{}<h2>In figures</h2><table><tr><th>\
         Percentile<th>Before<th>After</tr><tr><td>50<td>12 ms<td>12 ms</tr><tr><td>99<td>512 ms<td>31 ms\
         </tr></table></article><div id=disqus_thread class=comments><p>Nice post!</p></div>",
        paragraphs(&texts[..2]),
        paragraphs(&texts[2..])
    );
    Made {
        name: "blog with code".to_owned(),
        markup: page("The disk that was somebody else's", &body),
        main: &[
            "fsync_range",
            "    for part in 0..8 {\n        file.sync_part(part)?;",
            "| 99 | 512 ms | 31 ms",
        ],
        around: &["Nice post!", "Accept all", "new phones"],
    }
}

fn recipe() -> Made {
    let body = format!(
        "<article itemscope class=recipe><h1>Lentil soup with lemon</h1>{}<h2>Ingredients</h2><ul><li>250 g \
         red lentils<li>1 onion<li>2 carrots<li>juice of half a lemon</ul><h2>Method</h2><ol><li><p>Fry the \
         onion in oil until it is soft, about five minutes, and add the carrots in small pieces.</p><li><p>Add \
         the lentils and a litre of water, and let it boil gently for twenty minutes.</p><li><p>Add the lemon \
         juice, salt and pepper, and serve it hot with bread.</p></ol></article><div class=newsletter>Never \
         miss a recipe: subscribe</div>",
        paragraphs(&[
            "A soup for cold evenings, which is ready in half an hour and better on the next day. It needs \
             no stock: the vegetables and the lemon are enough, and it can be frozen for months.",
            "I learned it from a neighbour in Izmir, who makes it with mint; parsley is good as well. Take \
             red lentils, since the brown ones need twice the time and stay whole.",
        ])
    );
    Made {
        name: "recipe".to_owned(),
        markup: page("Lentil soup with lemon - Example Kitchen", &body),
        main: &["- 250 g red lentils", "twenty minutes", "## Method"],
        around: &["subscribe", "Accept all", "Ten beaches"],
    }
}

fn manual() -> Made {
    let option = |number: usize| {
        format!(
            "<dt id=o{number}><code>--option-{number} VALUE</code></dt><dd>Sets the value number {number} of \
             the run, which is used when the configuration file does not name it; the default is {number}0, \
             and values over a thousand are refused with an error.</dd>"
        )
    };
    let options: String = (1..=12).map(option).collect();
    let chapters: Vec<String> = (1..=30)
        .map(|number| format!("<li><a href=ch{number}.html>Chapter {number}</a>"))
        .collect();
    let chapters = chapters.concat();
    let body = format!(
        "<div class=sidebar><ul>{chapters}</ul></div><div class=content role=main><h1>run(1)</h1><h2>Synopsis\
         </h2><pre>run [OPTIONS] FILE...\nrun --help</pre><h2>Description</h2>{}<h2>Options</h2><dl>{options}\
         </dl></div>",
        paragraphs(&[
            "Runs the programs that are named in the files, one after the other, and ends with the code of \
             the first one that fails. Without a file it reads names from its standard input.",
            "A program that is named twice is run twice. Names may have patterns, which are read as the \
             shell reads them; a pattern that fits nothing is an error, unless <code>--lenient</code> is given.",
        ])
    );
    Made {
        name: "manual".to_owned(),
        markup: page("run(1) - Manual", &body),
        main: &[
            "run [OPTIONS] FILE...\nrun --help",
            "--option-12 VALUE\nSets",
            "--lenient",
        ],
        around: &["Chapter 17", "Accept all", "Ten beaches"],
    }
}

fn forum() -> Made {
    let post = |author: &str, text: &str| {
        format!(
            "<div class=post><div class=author><a href=/u/{author}>{author}</a> · 312 posts</div><div \
             class=post-body><p>{text}</p></div></div>"
        )
    };
    let body = format!(
        "<main><h1>Router loses its connection every night</h1>{}{}{}</main>",
        post(
            "kim",
            "Since the update to 7.2 my router loses its connection at three in the morning, every \
              night, for about two minutes. The log says only <code>WAN_DOWN</code>. Has anyone seen this?"
        ),
        post(
            "paolo",
            "Yes. It renews its lease then, and the new version waits for an answer that my provider \
              does not give. Set the lease time to 86400 by hand under Network, Advanced, and restart it."
        ),
        post(
            "kim",
            "That was it, thank you! Three nights without a cut now. I have written to the makers, and \
              they say that 7.3 will ask again sooner."
        )
    );
    Made {
        name: "forum".to_owned(),
        markup: page("Router loses its connection - Example Forum", &body),
        main: &["WAN_DOWN", "86400", "7.3 will ask"],
        around: &["Accept all", "Ten beaches"],
    }
}

fn product() -> Made {
    let body = format!(
        "<div class=product><h1>Kettle K200</h1><span class=price>€ 39.90</span><button>Add to basket</button>\
         <div class=description>{}</div><table class=specs><tr><th>Capacity</th><td>1.7 l</td></tr><tr><th>Power\
         </th><td>2200 W</td></tr><tr><th>Weight</th><td>1.1 kg</td></tr></table></div>",
        paragraphs(&[
            "The K200 boils a litre of water in two and a half minutes and switches itself off. Its lid opens \
             with one hand, and the filter in its spout can be taken out and washed.",
            "The handle stays cool, and the base turns, so that it can be used from both sides. The cable is \
             75 centimetres long and winds up below the base.",
        ])
    );
    Made {
        name: "product".to_owned(),
        markup: page("Kettle K200 | Example Shop", &body),
        main: &["two and a half minutes", "75 centimetres"],
        around: &["Accept all", "Ten beaches"],
    }
}

fn shop_list() -> Made {
    let item = |number: usize| {
        format!(
            "<li class=item><a href=/p/{number}><h3>Kettle K{number}00</h3></a><span>€ {number}9.90</span>"
        )
    };
    let items: String = (1..=24).map(item).collect();
    Made {
        name: "list of a shop".to_owned(),
        markup: page(
            "Kettles | Example Shop",
            &format!("<ul class=items>{items}</ul>"),
        ),
        main: &["Kettle K1700", "</p/24>"],
        around: &["Accept all", "Ten beaches"],
    }
}

fn old_layout() -> Made {
    let body = format!(
        "<table width=100%><tr><td width=150 bgcolor=#eee><a href=a.html>Home</a><br><a href=b.html>Photos</a>\
         <br>Guestbook<td><font size=5><b>The narrow railway of the valley</b></font>{}<br>Last change: 1999\
         </table>",
        paragraphs(&[
            "The railway was built in 1887 from the mill to the main line, eleven kilometres with nine bridges. \
             It carried paper and wood, and from 1902 on also people, twice a day in each direction.",
            "After the flood of 1954 two of the bridges were not built again, and the line ended at the quarry. \
             The last train ran on 30 September 1961, with flowers on its engine and half the valley aboard.",
            "Today the track is a path for bicycles. The engine number 3 stands before the school, where it is \
             painted every ten years by those who leave it.",
        ])
    );
    Made {
        name: "layout of tables".to_owned(),
        markup: page("Narrow railway", &body),
        main: &["nine bridges", "30 September 1961", "engine number 3"],
        around: &["Accept all", "Ten beaches"],
    }
}

fn chinese_encyclopedia() -> Made {
    let texts = [
        "茶是用茶树的叶子或芽制作的饮料，起源于中国西南部，是世界上消费量仅次于水的饮料。按照制作方法，可以分为绿茶、红茶、青茶、白茶、黄茶和黑茶六大类。",
        "茶叶中含有咖啡因、茶多酚和氨基酸等成分。其中咖啡因的含量约为百分之二到百分之四，具体取决于品种、采摘时间和制作方法。",
        "唐代陆羽著有《茶经》，是世界上第一部关于茶的专著，全书分三卷十节，记述了茶的起源、采制、器具和饮用方法。",
    ];
    let body = format!(
        "<div id=toc class=toc><ul><li><a href=#1>历史</a><li><a href=#2>成分</a></ul></div><div \
         id=mw-content-text><h1>茶</h1>{}<h2 id=2>成分</h2>{}<table class=wikitable><tr><th>种类<th>发酵程度</tr>\
         <tr><td>绿茶<td>不发酵</tr><tr><td>红茶<td>全发酵</tr></table></div><div class=catlinks>分类：饮料</div>",
        paragraphs(&texts[..1]),
        paragraphs(&texts[1..])
    );
    Made {
        name: "chinese encyclopedia".to_owned(),
        markup: page("茶 - 百科", &body),
        main: &["六大类", "茶多酚", "三卷十节"],
        around: &["Accept all", "Ten beaches"],
    }
}
