"""Words of Chinese and Japanese that stand for one another where texts are compared."""

from __future__ import annotations

from collections.abc import Mapping

_ROWS = """
    提交 推送 递交 | 执行 运行 跑一遍 跑一下 先跑 | 共享 公共 共用 | 原因 理由 缘由 | 价格 金额 价钱
    保存 存成 存储 储存 存放 | 给出 提供 | 数据 资料 | 自动 自行 | 备份 拷贝 备档 | 保留 留存 留着 | 打扰 打搅 麻烦
    结束 完成 做完 收尾 | 超时 超过时间 | 删除 删掉 移除 清除 | 修改 更改 改动 变更 | 添加 增加 新增 加上
    检查 核对 校验 核查 | 测试 测验 | 失败 出错 报错 | 错误 差错 故障 | 评审 审查 审核 复核 | 回滚 回退 撤回
    通知 告知 提醒 | 客户 顾客 客人 | 用户 使用者 | 员工 职员 同事 | 老板 负责人 主管 | 会议 开会 例会
    早上 上午 早晨 | 晚上 夜里 夜间 夜晚 | 每晚 每夜 | 凌晨 清晨 | 只能 仅限 只可 | 只在 仅在 | 立即 马上 立刻
    购买 买入 采购 | 补货 进货 | 支付 付款 付费 缴费 | 取消 作废 撤销 | 退款 退钱 退费 | 免费 不收费 不要钱
    地址 网址 | 文件 文档 | 图片 图像 照片 | 密码 口令 | 日志 记录 | 服务器 主机 | 容量 大小 | 上限 最大值
    下限 最小值 | 等待 等候 | 排队 等着 | 太慢 太久 很慢 | 询问 提问 发问 | 建议 提议 | 决定 确定 定为
    讨厌 不喜欢 反感 | 说明 解释 | 写明 注明 标明 | 字数 字符数 | 浮点数 浮点 小数 | 整数 整型 | 单位 计量单位
    温度 气温 | 放在 存在 | 位于 坐落 | 住在 居住 | 负责 主管 掌管 | 一律 统一 全部 | 午夜 半夜 | 周末 双休日
    假期 假日 放假 | 休息 歇业 | 手机 电话 | 邮件 邮箱 电邮 | 消息 信息 讯息 | 代号 编号 号码 | 需要 须 | 开始 启动
    停止 停用 停掉 | 关闭 关掉 | 打开 开启 | 页面 网页 | 分支 支线 | 合并 并入 | 主干 主分支 | 版本 发行版
    定休日 休業日 休み 休日 | 締め切り 締切 期限 | 発注 注文 | 予約 申し込み | 受け付け 受付 | 始める 開始
    終わる 終了 | 確認 チェック | 返信 返事 回答 | 短く 簡潔に 手短に | 使う 使用 利用 | 保存 格納 | 削除 消去
    毎日 日々 | 毎週 週ごと | 夜 夜間 | 公開 リリース | テスト 試験 | エラー 不具合 障害 | メール 電子メール
    会議 打ち合わせ ミーティング | 必ず 絶対に | 禁止 してはいけない しないこと | 前日 前の日 | 翌日 次の日
    少なくなったら 切ったら 下回ったら | 保つ 維持 | 担当 責任者 | 理由 わけ | 変更 修正 | 追加 加える
"""
"""Of each row the first stands for all; several rows on a line."""


def _twins() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for row in _ROWS.replace("\n", "|").split("|"):
        first, *others = row.split() or ("",)
        found.update((other, first) for other in others)
    return dict(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))


TWINS = _twins()
"""Word to the word that stands for it, longer ones first."""
